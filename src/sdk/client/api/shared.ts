// Made from the OpenAPI document by "npm run client-types". Do not edit.

/** why the request was refused */
export type FailureReason = {
  /** one of the failure codes of the operation; more may be added */
  readonly failureCode: string
  /** the same for people, naming the field and the way out */
  readonly failureMessage: string
}

/** present when the payment is FAILED */
export type PaymentFailureReason = {
  /** one of the failure codes of its kind of payment; more may be added */
  readonly failureCode: string
  /** the same for people */
  readonly failureMessage: string
}
