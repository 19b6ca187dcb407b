import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { startReceiver } from '../../../../harness/receiver.ts'
import {
  recipient,
  remittanceBody,
  remittanceWith,
  remitterOf,
  setRemittances,
} from '../../../../harness/remittances.ts'
import { eventually, startService } from '../../../../harness/service.ts'

const service = await startService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { remittance: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})
const { post, remit, reaches } = remitterOf(service)

/** What must never be read in a log line. Each is found nowhere else. */
const SECRETS = {
  reference: 'REFERENCE-QX81',
  firstName: 'Zuleikha-QX82',
  lastName: 'Mwanawasa-QX83',
  phone: '44770090084',
  street: 'Cairo Road QX85',
  postalCode: 'QX86',
  city: 'Kapiri QX87',
  document: 'P-QX88-113355',
  birthday: '1987-08-19',
  occupation: 'Diver QX91',
  recipientFirstName: 'Mutinta-QX92',
  recipientLastName: 'Phiri-QX93',
  recipientPhone: '260763451789',
  metadata: 'passport-scan-QX94',
}

const { sender } = remittanceBody()
const PRIVATE = {
  recipient: {
    ...recipient(SECRETS.recipientPhone),
    recipientDetails: {
      firstName: SECRETS.recipientFirstName,
      lastName: SECRETS.recipientLastName,
    },
  },
  sender: {
    transactionDetails: {
      ...sender.transactionDetails,
      transactionReference: SECRETS.reference,
    },
    senderDetails: {
      ...sender.senderDetails,
      firstName: SECRETS.firstName,
      lastName: SECRETS.lastName,
      phoneNumber: SECRETS.phone,
      address: {
        addressLine: SECRETS.street,
        postalCode: SECRETS.postalCode,
        city: SECRETS.city,
        country: 'ZMB',
      },
      identification: { type: 'PASSPORT', number: SECRETS.document },
      dateOfBirth: SECRETS.birthday,
      occupation: SECRETS.occupation,
    },
  },
  metadata: [{ scan: SECRETS.metadata, isPII: true }],
}

const PERSON = 'sender.senderDetails'

async function refusedCalls(): Promise<void> {
  const { firstName, document, phone } = SECRETS
  const bodies = [
    remittanceBody({ ...PRIVATE, amount: '0' }),
    remittanceBody({ ...PRIVATE, [firstName]: document }),
    remittanceBody({ ...PRIVATE, customerMessage: firstName }),
    remittanceBody({ ...PRIVATE, remittanceId: firstName }),
    remittanceBody({ ...PRIVATE, recipient: recipient('1', 'MTN_MOMO_ZMB') }),
    remittanceWith(`${PERSON}.nationality`, firstName, PRIVATE),
    remittanceWith(`${PERSON}.dateOfBirth`, `${SECRETS.birthday}Z`, PRIVATE),
    remittanceWith(`${PERSON}.identification.type`, document, PRIVATE),
    remittanceWith(`${PERSON}.phoneNumber`, phone.repeat(9), PRIVATE),
    remittanceWith('recipient.accountDetails.phoneNumber', `+${phone}`, PRIVATE),
  ]
  for (const body of bodies) {
    assert.equal((await post(body)).body.status, 'REJECTED')
    assert.ok([200, 400].includes((await service.post('/v2/remittances/bulk', [body])).status))
  }
  assert.equal((await service.get(`/v2/remittances/${document}`)).status, 400)
}

/** The database refuses rows, and quotes them in its errors: at acceptance, and at work. */
async function faultsInside(): Promise<void> {
  const { query } = service.database
  await query(`alter table payments add constraint odd check (amount <> 13.13)`)
  await query(`alter table payments add constraint stuck
    check (amount <> 14.14 or state = 'ACCEPTED')`)
  assert.equal((await remit({ ...PRIVATE, amount: '13.13' })).status, 500)
  const { id, status } = await remit({ ...PRIVATE, amount: '14.14' })
  assert.equal(status, 200)
  await eventually(() => assert.match(service.logLines.join('\n'), /a payment step failed/))
  await query('alter table payments drop constraint odd, drop constraint stuck')
  await service.advance(3600)
  await reaches(id, 'COMPLETED')
}

it('nothing about sender or recipient is ever in a log line', async () => {
  receiver.answer(500)
  const { id } = await remit(PRIVATE)
  await reaches(id, 'COMPLETED')
  await eventually(() => assert.ok(receiver.received.length >= 1))
  receiver.answer(200)
  await service.post(`/v2/remittances/resend-callback/${id}`)
  await service.get(`/sandbox/deliveries?paymentId=${id}`)
  await setRemittances(service, 'DELAYED')
  const waiting = await remit(PRIVATE)
  await reaches(waiting.id, 'ENQUEUED')
  await service.post(`/v2/remittances/fail-enqueued/${waiting.id}`)
  await setRemittances(service, 'OPERATIONAL')
  await refusedCalls()
  await faultsInside()

  const received = receiver.received.map(({ body }) => body).join('\n')
  for (const [what, secret] of Object.entries(SECRETS)) {
    assert.ok(received.includes(secret), `${what} is in the callback`)
  }
  assert.ok(service.logLines.length >= 20, 'there is something to look at')
  for (const line of service.logLines) {
    for (const [what, secret] of Object.entries(SECRETS)) {
      assert.ok(!line.includes(secret), `${what} in ${line}`)
    }
  }
})
