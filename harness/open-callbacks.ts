/** Callbacks that are still owed, with a row of their own or without, as a table in SQL. */
export const OPEN_CALLBACKS = `(
  select merchant_id, payment_key, state, kind, payment_id from callbacks where due_at is not null
  union all
  select merchant_id, payment_key, state, kind, payment_id from callbacks_in_hand) open_callbacks`
