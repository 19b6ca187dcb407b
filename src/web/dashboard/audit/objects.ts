import { CALLBACK_KINDS, type CallbackKind } from '../../../domain/accounts/merchant.ts'
import { SUBJECT_WORDS, type SubjectKind } from '../../../domain/callbacks/callback-subject.ts'
import { fill } from '../../words.ts'
import { URL_WORDS } from '../callback-urls/words.ts'
import { CALLBACK_WORDS } from '../callbacks/words.ts'
import { listAt } from '../lists/shape.ts'
import { walletText } from '../money/parts.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { AUDIT_WORDS } from './words.ts'

const isSubject = (text: string): text is SubjectKind => Object.hasOwn(SUBJECT_WORDS, text)
const hasUrl = (text: string): text is CallbackKind => CALLBACK_KINDS.some((kind) => kind === text)

/** The log has codes of kinds, lists and wallets; people read their names. The rest stays as it is. */
export function objectText(visit: Visit, object: string): string {
  return ofKinds(visit, object) ?? ofList(visit, object) ?? ofWallet(visit, object) ?? object
}

/** `deposit, payout`, `payout <id>`, `callbacks of payout <id>` and `replay <id>`. */
function ofKinds({ lang }: Visit, object: string): string | undefined {
  const words = AUDIT_WORDS[lang]
  const kinds = object.split(', ')
  if (kinds.every(hasUrl)) return kinds.map((kind) => URL_WORDS[lang][kind]).join(', ')
  const [, of, name = '', id = ''] = /^(callbacks of )?(\w+) ([\w-]+)$/.exec(object) ?? []
  if (name === 'replay') return fill(words.replay, { id })
  if (!isSubject(name)) return undefined
  const what = `${CALLBACK_WORDS[lang][`kind_${name}`]} ${id}`
  return of === undefined ? what : fill(words.callbacksOf, { what })
}

/** A list, and perhaps one of its views. */
function ofList({ lang }: Visit, object: string): string | undefined {
  const [, place = '', view] = /^([a-z-]+)(?:: (.+))?$/s.exec(object) ?? []
  const shape = listAt(place)
  if (shape === undefined) return undefined
  const list = DASHBOARD_WORDS[lang][shape.place]
  return view === undefined ? list : fill(AUDIT_WORDS[lang].view, { list, name: view })
}

function ofWallet(visit: Visit, object: string): string | undefined {
  const [, country, currency, provider] =
    /^([A-Z]{3})-([A-Z]{3})(?:-([A-Z0-9_]+))?$/.exec(object) ?? []
  if (country === undefined || currency === undefined) return undefined
  return walletText(visit, { country, currency, provider })
}
