import type { FuzzRequest } from '../../proof/fuzz/requests.ts'
import type { Target } from '../../proof/fuzz/targets.ts'
import type { WireAnswer } from '../../proof/fuzz/wire.ts'

export const target = (changes: Partial<Target> = {}): Target => ({
  method: 'POST',
  path: '/v2/deposits',
  generation: 'current',
  query: [],
  starts: true,
  isControl: false,
  needsSession: false,
  isPicture: false,
  ...changes,
})

export const request = (changes: Partial<FuzzRequest> = {}): FuzzRequest => ({
  number: 1,
  target: target(),
  method: 'POST',
  address: '/v2/deposits',
  head: '',
  body: Buffer.alloc(0),
  ids: [],
  link: undefined,
  isMutated: false,
  arrives: true,
  ...changes,
})

export const answer = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = { 'content-type': 'application/json' },
): WireAnswer => ({
  status,
  body,
  headers: new Map(Object.entries({ 'x-request-id': 'abcdefghij-1', ...headers })),
})

export const REFUSAL = '{"failureReason":{"failureCode":"X","failureMessage":"x"}}'
