/**
 * Checks of what must always be true, each a question whose answers are the violations. They read
 * whole tables, so they run on a snapshot of their own and never on the path of a payment.
 */
export type Check = { readonly name: string; readonly question: string }
