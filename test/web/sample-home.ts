import type { HomeInfo } from '../../src/web/site/home-info.ts'

export const SANDBOX: HomeInfo = {
  baseUrl: 'http://127.0.0.1:8080',
  environment: 'sandbox',
  version: '0.1.0-test',
  readAt: '2026-01-15T10:20:30.123Z',
  database: { isReachable: true, waitingPayments: 1234, waitingCallbacks: 56 },
  hasOperator: true,
  clockOffsetSeconds: 0,
}
