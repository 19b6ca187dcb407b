import type { CodeTable } from '../wire-kit.ts'

/** Nobody approved it; where nobody has to, it just did not work. */
const NOT_APPROVED = { DEPOSIT: 'PAYMENT_NOT_APPROVED', other: 'UNSPECIFIED_FAILURE' } as const

/**
 * Every code of Airtel. The answer to a refund has those of collections as well, and speaks of our
 * own wallet then. A "success" counts only by the status of the transaction.
 */
export const CODES: CodeTable = {
  // Collections.
  DP00800001000: 'UNKNOWN',
  DP00800001001: 'PENDING',
  DP00800001002: NOT_APPROVED,
  DP00800001003: { DEPOSIT: 'PAYER_LIMIT_REACHED', other: 'UNSPECIFIED_FAILURE' },
  DP00800001004: 'OUR_FAULT',
  DP00800001005: NOT_APPROVED,
  DP00800001006: 'PENDING',
  DP00800001007: { DEPOSIT: 'INSUFFICIENT_BALANCE', other: 'OUR_FAULT' },
  DP00800001008: NOT_APPROVED,
  DP00800001009: 'UNSPECIFIED_FAILURE',
  DP00800001010: { DEPOSIT: 'PAYER_NOT_FOUND', other: 'RECIPIENT_NOT_FOUND' },
  DP00800001024: NOT_APPROVED,
  DP00800001025: 'UNKNOWN',
  DP00800001026: 'OUR_FAULT',
  DP00800001029: NOT_APPROVED,
  // Disbursements.
  DP00900001000: 'UNKNOWN',
  DP00900001001: 'PENDING',
  DP00900001003: 'WALLET_LIMIT_REACHED',
  DP00900001004: 'OUR_FAULT',
  DP00900001005: 'UNSPECIFIED_FAILURE',
  DP00900001006: 'PENDING',
  // Our float.
  DP00900001007: 'OUR_FAULT',
  DP00900001009: 'RECIPIENT_NOT_FOUND',
  DP00900001010: 'RECIPIENT_NOT_FOUND',
  // A transaction like this one is under way; whether it is ours is found out by asking.
  DP00900001011: 'PAYMENT_IN_PROGRESS',
  DP00900001012: 'RECIPIENT_NOT_FOUND',
  DP00900001013: 'UNSPECIFIED_FAILURE',
  DP00900001014: 'UNKNOWN',
  DP00900001015: 'UNKNOWN',
  DP00900001016: 'OUR_FAULT',
  DP00900001017: 'UNKNOWN',
  // Seen in newer copies of the documents: the signature does not fit; our wallet is barred.
  DP00900001018: 'OUR_FAULT',
  DP00900001019: 'OUR_FAULT',
  // The gateway in front of both.
  ROUTER001: 'OUR_FAULT',
  ROUTER003: 'OUR_FAULT',
  ROUTER005: 'OUR_FAULT',
  ROUTER006: 'OUR_FAULT',
  ROUTER007: 'OUR_FAULT',
  ROUTER110: 'OUR_FAULT',
  ROUTER112: 'OUR_FAULT',
  ROUTER114: 'OUR_FAULT',
  // The PIN is wrong; the encrypted PIN cannot be read.
  ROUTER115: 'OUR_FAULT',
  ROUTER116: 'OUR_FAULT',
  // A time-out behind the gateway.
  ROUTER117: 'UNKNOWN',
  ROUTER119: 'OUR_FAULT',
  // The older codes. The documents want 01, 04 and 14 to be asked about.
  ESB000001: 'UNKNOWN',
  ESB000004: 'UNKNOWN',
  ESB000008: 'OUR_FAULT',
  ESB000011: 'UNSPECIFIED_FAILURE',
  ESB000014: 'UNKNOWN',
  ESB000033: 'OUR_FAULT',
  ESB000034: 'OUR_FAULT',
  ESB000035: 'OUR_FAULT',
  ESB000036: 'OUR_FAULT',
  ESB000039: 'OUR_FAULT',
  ESB000041: 'UNKNOWN',
  ESB000045: 'UNKNOWN',
  '0000900': 'UNKNOWN',
}

/** In answer to a new order: it may be there already, under the same id. */
export const DUPLICATES: readonly string[] = ['DP00900001011', 'DP00900001017', 'ESB000041']

/** In answer to a look-up: no such order, or not yet. */
export const NOT_FOUND: readonly string[] = ['DP00800001025', 'DP00900001015', 'ESB000045']

/** In answer to a new order: says nothing for sure before it is looked up. */
export const ASK_FIRST: readonly string[] = [...NOT_FOUND, 'DP00800001024', 'DP00900001014']

/** Refused by the gateway, or for its signature: surely nothing was done, whatever the status. */
export const isRefusedByGateway = (code: string): boolean =>
  (code.startsWith('ROUTER') && CODES[code] === 'OUR_FAULT') || SIGNATURE.includes(code)

const SIGNATURE: readonly string[] = ['DP00800001026', 'DP00900001018']
