import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Answer, eventually, payer, type Service } from './service.ts'

// biome-ignore lint/suspicious/noExplicitAny: bodies are changed freely by tests
type Json = any
type Changes = Readonly<Record<string, unknown>>

const PAID = '260763456789'
export const NEVER_ENDS = '260763456129'

export const RECIPIENT_DETAILS = { firstName: 'Chanda', lastName: 'Mwale' }

/** With every field there is, not in the order in which a database would store them. */
export const SENDER = {
  transactionDetails: {
    transactionReference: 'TX-2026-0001',
    originalAmount: '100.00',
    originalCurrency: 'GBP',
    buyFxRate: '28.1534',
    senderFees: '1.50',
    purposeOfFunds: 'FAMILY_SUPPORT',
    sourceOfFunds: 'SALARY',
  },
  senderDetails: {
    firstName: 'Amina',
    lastName: 'Banda',
    nationality: 'ZMB',
    phoneNumber: '442079460018',
    address: {
      addressLine: '12 Market Street',
      postalCode: 'EC1A 1BB',
      city: 'London',
      country: 'GBR',
    },
    identification: { type: 'PASSPORT', number: 'P1234567' },
    gender: 'FEMALE',
    dateOfBirth: '1990-02-28',
    placeOfBirth: 'ZMB',
    occupation: 'Nurse',
    relationshipRecipient: 'SISTER',
  },
}

export function recipient(phoneNumber: string, provider = 'MTN_MOMO_ZMB'): Json {
  return { ...payer(phoneNumber, provider), recipientDetails: RECIPIENT_DETAILS }
}

/** A remittance that is accepted and completes. */
export function remittanceBody(changes: Changes = {}): Json {
  return {
    remittanceId: randomUUID(),
    amount: '15',
    currency: 'ZMW',
    recipient: recipient(PAID),
    sender: SENDER,
    ...changes,
  }
}

/** The same with one field changed, named by its path; undefined removes it. */
export function remittanceWith(path: string, value: unknown, changes: Changes = {}): Json {
  const body = structuredClone(remittanceBody(changes))
  const names = path.split('.')
  const leaf = names.pop() ?? ''
  const holder = names.reduce((inner, name) => inner[name], body)
  holder[leaf] = value
  return body
}

type Remitter = {
  post(body: Json): Promise<Answer & { id: string }>
  /** Posts a remittance that can be accepted, changed by `changes`. */
  remit(changes?: Changes): Promise<Answer & { id: string }>
  status(id: string): Promise<Answer>
  reaches(id: string, status: string): Promise<Record<string, unknown>>
}

export function remitterOf(service: Pick<Service, 'get' | 'post'>): Remitter {
  const post: Remitter['post'] = async (body) => ({
    ...(await service.post('/v2/remittances', body)),
    id: body.remittanceId,
  })
  const status = (id: string) => service.get(`/v2/remittances/${id}`)
  return {
    post,
    remit: (changes) => post(remittanceBody(changes)),
    status,
    reaches: (id, state) =>
      eventually(async () => {
        const { body } = await status(id)
        assert.equal(body.data?.status, state)
        return body.data
      }),
  }
}

/** Whether remittances are sent at once, enqueued, or refused. */
export async function setRemittances(
  service: Service,
  status: 'OPERATIONAL' | 'DELAYED' | 'CLOSED',
  provider = 'MTN_MOMO_ZMB',
): Promise<void> {
  const control = { provider, operationType: 'REMITTANCE', status }
  assert.equal((await service.put('/sandbox/availability', control)).status, 204)
}
