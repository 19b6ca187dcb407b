import { MAX_SIGNATURE_AGE } from '../../../domain/accounts/merchant.ts'
import type { Page } from '../../../http/pages.ts'
import {
  addKey,
  chooseSignatures,
  readSignatures,
  removeKey,
  requireSignatures,
} from '../../../usecases/accounts/signatures-of-merchant.ts'
import { fill } from '../../words.ts'
import { goTo } from '../guard.tsx'
import type { DashboardRoute, Visit } from '../visit.ts'
import { PLACE, type Refused, signaturesPage } from './page.tsx'
import { keyRefusal, SIGNATURE_WORDS } from './words.ts'

const changing = (path: string, answer: DashboardRoute['answer']): DashboardRoute => ({
  path,
  method: 'POST',
  permission: 'developers:manage',
  isSensitive: true,
  isForAllCountries: true,
  answer,
})

export const SIGNATURE_ROUTES: readonly DashboardRoute[] = [
  { path: PLACE, permission: 'developers:manage', answer: (visit) => show(visit) },
  changing(`${PLACE}/keys`, add),
  changing(`${PLACE}/keys/remove`, remove),
  changing(`${PLACE}/require`, require),
  changing(`${PLACE}/settings`, choose),
]

const show = async (visit: Visit, refused?: Refused): Promise<Page> =>
  signaturesPage(visit, await readSignatures(visit.ctx, visit.person), refused)

const textIn = ({ request }: Visit, name: string): string => (request.form.get(name) ?? '').trim()

async function add(visit: Visit): Promise<Page> {
  const words = SIGNATURE_WORDS[visit.lang]
  const [keyId, pem] = [textIn(visit, 'keyId'), textIn(visit, 'pem')]
  const problem = await addKey(visit.ctx, visit.person, { keyId, pem })
  if (problem === undefined) return goTo(visit, PLACE, fill(words.added, { name: keyId }))
  // A private key is not shown again, not even to who typed it.
  const shown = pem.includes('PRIVATE') ? '' : pem
  return show(visit, { key: { ...keyRefusal(problem, words), keyId, pem: shown } })
}

async function remove(visit: Visit): Promise<Page> {
  const words = SIGNATURE_WORDS[visit.lang]
  const keyId = visit.request.form.get('keyId') ?? ''
  const result = await removeKey(visit.ctx, visit.person, keyId)
  if (result === 'REMOVED') return goTo(visit, PLACE, fill(words.removed, { name: keyId }))
  return goTo(visit, PLACE, result === 'LAST' ? words.last : words.missing, true)
}

async function require(visit: Visit): Promise<Page> {
  const words = SIGNATURE_WORDS[visit.lang]
  const isRequired = textIn(visit, 'required') === 'yes'
  const isAnyway = textIn(visit, 'anyway') === 'yes'
  const result = await requireSignatures(visit.ctx, visit.person, { isRequired, isAnyway })
  if (result === 'NO_KEY') return goTo(visit, PLACE, words.noKey, true)
  if (result === 'HARM') return goTo(visit, PLACE, words.harm, true)
  return goTo(visit, PLACE, isRequired ? words.required : words.stopped)
}

async function choose(visit: Visit): Promise<Page> {
  const text = textIn(visit, 'maxAge')
  const seconds = /^\d{0,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(seconds <= MAX_SIGNATURE_AGE) || text === '0') return show(visit, { maxAge: text })
  await chooseSignatures(visit.ctx, visit.person, {
    maxSignatureAge: seconds,
    coverAuthority: textIn(visit, 'coverAuthority') === 'yes',
    signedCallbacks: textIn(visit, 'signedCallbacks') === 'yes',
  })
  return goTo(visit, PLACE, SIGNATURE_WORDS[visit.lang].saved)
}
