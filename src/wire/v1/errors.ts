/** The earlier generation's error body. `errorId` is found in the logs. */
const ERROR_CODES = { internal: 0, input: 1, authentication: 2, authorization: 3 } as const

export type LegacyError = {
  readonly errorId: string
  readonly errorCode: number
  readonly errorMessage: string
}

export function legacyError(
  errorId: string,
  kind: keyof typeof ERROR_CODES,
  errorMessage: string,
): LegacyError {
  return { errorId, errorCode: ERROR_CODES[kind], errorMessage }
}
