/**
 * Checks of what must always be true, each a question whose answers are the violations. They read
 * whole tables, so they run on a snapshot of their own and never on the path of a payment. They state
 * the rules anew, from the results alone: a check that shared the SQL of what it checks would share
 * its mistakes.
 */
export type Check = { readonly name: string; readonly question: string }
