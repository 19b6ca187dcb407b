/** What the answers about statements look like. */
const statementId = '5b1f8a3e-6f5c-4c7e-9d60-2f4f0d2b7c11'
const created = '2026-12-01T08:00:00Z'

const asked = {
  wallet: { country: 'ZMB', currency: 'ZMW' },
  created,
  startDate: '2026-11-01T00:00:00',
  endDate: '2026-12-01T00:00:00',
  compressed: false,
}

const completed = {
  statementId,
  status: 'COMPLETED',
  ...asked,
  fileSize: 48213,
  downloadUrl:
    'https://pay.example/statements/5b1f8a3e-6f5c-4c7e-9d60-2f4f0d2b7c11/' +
    'AAAAAQGsHRzTYBr0ZbKuaIl3tO9i3Jm7vY2cQ8mP1n5xWd4kR6sTzLqE',
  downloadUrlExpiresAt: '2026-12-02T08:00:01Z',
  completedAt: '2026-12-01T08:00:01Z',
  openingBalance: '1000000.00',
  closingBalance: '1018250.50',
}

const failed = {
  statementId,
  status: 'FAILED',
  ...asked,
  failedAt: '2026-12-01T08:02:31Z',
  failureReason: {
    failureCode: 'UNKNOWN_ERROR',
    failureMessage: 'The file could not be written. Ask for the statement again.',
  },
}

export const STATEMENT_RECORD_EXAMPLES = { COMPLETED: completed, FAILED: failed }

export const STATEMENT_EXAMPLES = {
  request: {
    ACCEPTED: { statementId, status: 'ACCEPTED', created },
    REJECTED: {
      status: 'REJECTED',
      failureReason: {
        failureCode: 'WALLET_NOT_FOUND',
        failureMessage:
          "This account has no wallet for 'USD' in 'ZMB'. " +
          'The wallet balances list the wallets that exist.',
      },
    },
  },
  status: {
    COMPLETED: { status: 'FOUND', data: completed },
    PROCESSING: { status: 'FOUND', data: { statementId, status: 'PROCESSING', ...asked } },
    NOT_FOUND: { status: 'NOT_FOUND' },
  },
}
