import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { remittanceWith, remitterOf } from '../../../../harness/remittances.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService()
after(service.stop)
const { post, status } = remitterOf(service)

const DEAL = 'sender.transactionDetails'
const PERSON = 'sender.senderDetails'
const TO = 'recipient.recipientDetails'
const leafOf = (path: string): string => path.split('.').at(-1) ?? ''
const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 40 ? `${text.slice(0, 30)}… (${text.length})` : text
}

let taken = 0

/** Accepted, and shown in the record exactly as sent. */
async function takes(path: string, value: unknown): Promise<void> {
  const body = remittanceWith(path, value)
  const { id, ...answer } = await post(body)
  assert.equal(answer.body.status, 'ACCEPTED', JSON.stringify(answer.body))
  taken += 1
  const { data } = (await status(id)).body
  assert.deepEqual(
    { sender: data.sender, to: data.recipient },
    { sender: body.sender, to: body.recipient },
  )
}

/** Refused with the bare name of the field; the last test looks whether anything was stored. */
async function refuses(path: string, value: unknown, code: string): Promise<void> {
  const { id: remittanceId, ...answer } = await post(remittanceWith(path, value))
  const says = new RegExp(`^The parameter '${leafOf(path)}' `)
  assertAnswer(answer, 400, refused(code, says, { remittanceId }))
}

async function each<T>(values: readonly T[], tries: (value: T) => Promise<void>): Promise<void> {
  await Promise.all(values.map(tries))
}

const REQUIRED = [
  'amount',
  'currency',
  'recipient',
  'recipient.type',
  'recipient.accountDetails',
  'recipient.accountDetails.phoneNumber',
  'recipient.accountDetails.provider',
  TO,
  `${TO}.firstName`,
  `${TO}.lastName`,
  'sender',
  DEAL,
  `${DEAL}.transactionReference`,
  `${DEAL}.originalAmount`,
  `${DEAL}.originalCurrency`,
  `${DEAL}.buyFxRate`,
  `${DEAL}.senderFees`,
  `${DEAL}.purposeOfFunds`,
  `${DEAL}.sourceOfFunds`,
  PERSON,
  `${PERSON}.firstName`,
  `${PERSON}.lastName`,
  `${PERSON}.nationality`,
  `${PERSON}.phoneNumber`,
  `${PERSON}.address`,
  `${PERSON}.address.addressLine`,
  `${PERSON}.address.postalCode`,
  `${PERSON}.address.city`,
  `${PERSON}.address.country`,
  `${PERSON}.identification`,
  `${PERSON}.identification.type`,
  `${PERSON}.identification.number`,
]

describe('what is required:', () => {
  for (const path of REQUIRED) {
    it(`${path} may be neither absent nor null nor empty nor of another type`, async () => {
      await refuses(path, undefined, 'MISSING_PARAMETER')
      await refuses(path, null, 'MISSING_PARAMETER')
      await each(['', 7, true, [], ['x']], (value) => refuses(path, value, 'INVALID_PARAMETER'))
    })
  }
})

const OPTIONAL = ['gender', 'dateOfBirth', 'placeOfBirth', 'occupation', 'relationshipRecipient']

describe('what some markets demand and others do not:', () => {
  for (const name of OPTIONAL) {
    it(`${name} is absent when it is absent, null or empty`, async () => {
      for (const value of [undefined, null, '']) {
        const { id, body } = await post(remittanceWith(`${PERSON}.${name}`, value))
        assert.equal(body.status, 'ACCEPTED')
        taken += 1
        const { data } = (await status(id)).body
        const { sender } = remittanceWith(`${PERSON}.${name}`, undefined)
        assert.deepEqual(data.sender, JSON.parse(JSON.stringify(sender)))
      }
    })

    it(`${name} must be a text`, async () => {
      const path = `${PERSON}.${name}`
      await each([7, false, [], {}], (value) => refuses(path, value, 'INVALID_PARAMETER'))
    })
  }
})

/** Free text of at most 64 characters, whatever they are. */
const TEXTS = [
  `${TO}.firstName`,
  `${TO}.lastName`,
  `${DEAL}.transactionReference`,
  `${PERSON}.firstName`,
  `${PERSON}.lastName`,
  `${PERSON}.address.addressLine`,
  `${PERSON}.address.postalCode`,
  `${PERSON}.address.city`,
  `${PERSON}.identification.number`,
  `${PERSON}.occupation`,
]
const PROSE = ['7', '+260 (97) 12-34', 'Ann-Marie O’Neill', 'Łódź 市場 😀', '"\\{}\n\t', "'; --"]

describe('a text of 1 to 64 characters, each counted once however wide:', () => {
  for (const path of TEXTS) {
    it(path, async () => {
      await each([...PROSE, 'x'.repeat(64), '😀'.repeat(64)], (value) => takes(path, value))
      const long = ['x'.repeat(65), '😀'.repeat(65)]
      await each(long, (value) => refuses(path, value, 'INVALID_PARAMETER'))
    })
  }
})

const ENUMERATIONS: Readonly<Record<string, string>> = {
  [`${DEAL}.purposeOfFunds`]: `FAMILY_SUPPORT MEDICAL_EXPENSES TUITION_FEES EDUCATION_SUPPORT
    GIFT_AND_OTHER_DONATIONS HOME_IMPROVEMENT DEBT_SETTLEMENT REAL_ESTATE TAXES SALARY SAVINGS
    PERSONAL_TRANSFER OTHER`,
  [`${DEAL}.sourceOfFunds`]: 'SALARY SAVINGS LOTTERY LOAN BUSINESS_INCOME GIFT OTHER',
  [`${PERSON}.identification.type`]:
    'NATIONAL_ID PASSPORT DRIVING_LICENSE SOCIAL_SECURITY_ID RESIDENCE_PERMIT',
  [`${PERSON}.gender`]: 'MALE FEMALE OTHER',
  [`${PERSON}.relationshipRecipient`]: `FATHER MOTHER SON DAUGHTER BROTHER SISTER HUSBAND WIFE
    PARTNER FRIEND AUNT UNCLE COUSIN NEPHEW NIECE GRANDFATHER GRANDMOTHER GRANDSON GRANDDAUGHTER
    STEPCHILD DAUGHTER_IN_LAW SON_IN_LAW BORTHER_IN_LAW BROTHER_IN_LAW SISTER_IN_LAW
    MOTHER_IN_LAW GUARDIAN SELF`,
}

describe('one of a list:', () => {
  for (const [path, list] of Object.entries(ENUMERATIONS)) {
    const values = list.split(/\s+/)

    it(`${path} takes its ${values.length} values and shows them as sent`, async () => {
      await each(values, (value) => takes(path, value))
    })

    it(`${path} takes nothing else`, async () => {
      const [first = ''] = values
      const wrong = ['UNKNOWN', first.toLowerCase(), ` ${first}`, `${first} `, `${first},OTHER`]
      await each(wrong, (value) => refuses(path, value, 'INVALID_PARAMETER'))
    })
  }
})

/** The date that many days from now. */
const day = (ahead: number): string =>
  new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)

/** Other fields with a form of their own: what is taken, and what is not. */
const FORMS: readonly (readonly [path: string, good: readonly string[], bad: readonly string[]])[] =
  [
    ...['nationality', 'address.country', 'placeOfBirth'].map(
      (name) =>
        [
          `${PERSON}.${name}`,
          ['ZMB', 'GBR', 'USA', 'SSD', 'COD', 'TWN', 'ALA'],
          ['ZZZ', 'zmb', 'Zmb', 'ZM', 'ZMBA', ' ZMB', 'Z1B', 'XKX', 'UK', 'ENG', 'EUR', '894'],
        ] as const,
    ),
    [
      `${PERSON}.phoneNumber`,
      ['442079460018', '1', '12125550123', '9'.repeat(32)],
      ['+442079460018', '44 20 7946 0018', '44-20', '0442079460018', '٢٦٠', '9'.repeat(33), 'none'],
    ],
    [
      `${PERSON}.dateOfBirth`,
      ['1990-02-28', '2024-02-29', '2000-02-29', '1900-12-31', '0001-01-01', day(0)],
      [
        ...['2023-02-29', '1900-02-29', '2024-02-30', '2024-04-31', '2024-13-01', '2024-00-10'],
        ...['2024-01-00', '2024-01-32', '0000-01-01', '0000-02-29', '0000-00-00', '24-01-01'],
        ...['2024-1-1', '20240101', '2024/01/01', '01-02-2024', ' 2024-01-01', '2024-01-01\n'],
        ...['2024-01-01T00:00:00Z', '-0001-01-01', '+12024-01-01', '٢٠٢٤-٠١-٠١'],
        ...[day(2), '9999-12-31'],
      ],
    ],
    ...['originalAmount', 'senderFees'].map(
      (name) =>
        [
          `${DEAL}.${name}`,
          ['0', '0.00', '1', '1.5', '100.0000', '0.0001', '123456789012345678.1234'],
          ['-1', '+1', '01', '.5', '5.', '5.12345', '1e3', '1,000', ' 5', '1234567890123456789'],
        ] as const,
    ),
    [
      `${DEAL}.buyFxRate`,
      ['1', '28.1534', '0.000035012', '0.10', '1234567.123456789', `0.${'1'.repeat(62)}`],
      [
        '0',
        '0.0',
        '0.000',
        '-1',
        '+1',
        '01',
        '.5',
        '5.',
        '1e-3',
        '28,15',
        '1:28',
        ' 1',
        '1'.repeat(65),
      ],
    ],
    [
      `${DEAL}.originalCurrency`,
      ['GBP', 'ZMW', 'XOF'],
      ['gbp', 'GB', 'GBPX', 'G1P', '826', ' GBP', '£'],
    ],
  ]

describe('a form of its own:', () => {
  for (const [path, good, bad] of FORMS) {
    it(`${path} takes ${shown(good)}`, async () => {
      await each(good, (value) => takes(path, value))
    })

    for (const value of bad) {
      it(`${path} does not take ${shown(value)}`, () => refuses(path, value, 'INVALID_PARAMETER'))
    }
  }
})

/** Fields that are not known, at every level; a remittance has no reference of the merchant. */
const UNKNOWN = [
  'clientReferenceId',
  'payer',
  'country',
  'recipient.address',
  'recipient.accountDetails.name',
  `${TO}.phoneNumber`,
  'sender.details',
  `${DEAL}.purpose`,
  `${PERSON}.middleName`,
  `${PERSON}.address.state`,
  `${PERSON}.identification.issuer`,
]

describe('an unknown field is refused by its name, also when it is null:', () => {
  for (const path of UNKNOWN) {
    it(path, async () => {
      await each(['x', null, ''], (value) => refuses(path, value, 'UNSUPPORTED_PARAMETER'))
    })
  }
})

it('nothing that was refused is stored', async () => {
  const [stored] = await service.database.query(
    'select count(*)::int as count from payments where merchant_id = $1',
    [service.merchantId],
  )
  assert.ok(taken > 100)
  assert.deepEqual(stored, { count: taken })
})
