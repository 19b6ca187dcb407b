/** What to do when the database cannot be reached in the middle of work. */
export type Trouble = {
  /** True when it is not known whether the last write took effect. */
  isOutage(error: unknown): boolean
  /**
   * The node leaves and joins again under a new name: everything it held is then found in the
   * database as it really is, by the same way as after a crash.
   */
  report(error: unknown): void
}
