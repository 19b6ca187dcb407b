import { present } from '../present.ts'
/**
 * What a customer does on the phone to approve a payment, step by step. The sentences are templates
 * with `{{name}}` in them, so that a merchant can show a value its own way.
 */
export type Localised = { readonly en: string; readonly fr: string }

export type Instructions = { readonly channels: readonly Channel[] }

type Channel = {
  readonly type: 'USSD'
  readonly displayName: Localised
  /** The code that goes through the menus at once. */
  readonly quickLink?: string
  readonly variables: Readonly<Record<string, string>>
  readonly instructions: { readonly en: readonly Step[]; readonly fr: readonly Step[] }
}

type Step = { readonly text: string; readonly template: string }

/** A lost prompt is brought back, one that never comes by itself is found, a code is made. */
type Purpose = 'AUTOMATIC' | 'MANUAL' | 'PREAUTH'

type DialFacts = {
  readonly provider: string
  readonly shortCode: string
  readonly quickLink?: string
  /** A code is made for any amount: nobody asks for it. */
  readonly isForAnyAmount?: boolean
}

const TITLES: Readonly<Record<Purpose, Localised>> = {
  AUTOMATIC: {
    en: 'No PIN prompt on your phone?',
    fr: 'Pas de demande de code secret sur votre téléphone ?',
  },
  MANUAL: {
    en: 'Approve the payment on your phone',
    fr: 'Validez le paiement sur votre téléphone',
  },
  PREAUTH: {
    en: 'Get a one-time code for the payment',
    fr: 'Obtenez un code à usage unique pour le paiement',
  },
}

const DIAL: Localised = {
  en: 'Dial {{shortCode}} on the phone that pays.',
  fr: 'Composez le {{shortCode}} sur le téléphone qui paie.',
}
const CHOOSE: Localised = {
  en: 'In the menus, choose {{choices}}, one after the other.',
  fr: 'Dans les menus, choisissez {{choices}}, l’un après l’autre.',
}
const FIND: Localised = {
  en: 'In the menu, open the payments that wait for your approval and choose this one.',
  fr: 'Dans le menu, ouvrez les paiements en attente de validation et choisissez celui-ci.',
}
const APPROVE: Localised = {
  en: 'Check the amount, then enter your {{provider}} PIN to approve the payment.',
  fr: 'Vérifiez le montant, puis saisissez votre code secret {{provider}} pour valider le paiement.',
}
const AMOUNT: Localised = {
  en: 'Enter the amount that you want to pay.',
  fr: 'Saisissez le montant à payer.',
}
const MAKE_CODE: readonly Localised[] = [
  { en: 'Enter your {{provider}} PIN.', fr: 'Saisissez votre code secret {{provider}}.' },
  {
    en: 'A message brings you a one-time code. Enter it where you pay.',
    fr: 'Vous recevez un code à usage unique par SMS. Saisissez-le à l’endroit où vous payez.',
  },
]

export function instructionsFor(purpose: Purpose, facts: DialFacts): Instructions {
  const { provider, shortCode, quickLink, isForAnyAmount = false } = facts
  const choices = choicesOf(shortCode, quickLink)
  const variables = { shortCode, provider, ...present({ choices }) }
  const approve = [choices === undefined ? FIND : CHOOSE, APPROVE]
  const makeCode = isForAnyAmount ? MAKE_CODE : [AMOUNT, ...MAKE_CODE]
  const templates = [DIAL, ...(purpose === 'PREAUTH' ? makeCode : approve)]
  const steps = (lang: keyof Localised): Step[] =>
    templates.map(({ [lang]: template }) => ({ text: filled(template, variables), template }))
  const channel: Channel = {
    type: 'USSD',
    displayName: TITLES[purpose],
    ...present({ quickLink }),
    variables,
    instructions: { en: steps('en'), fr: steps('fr') },
  }
  return { channels: [channel] }
}

/** `*840*8*2*1#` is `*840#` with the menu entries 8, 2 and 1 already chosen. */
function choicesOf(shortCode: string, quickLink: string | undefined): string | undefined {
  const stem = `${shortCode.slice(0, -1)}*`
  if (quickLink === undefined || !quickLink.startsWith(stem)) return undefined
  return quickLink.slice(stem.length, -1).split('*').join(', ')
}

const filled = (template: string, variables: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => variables[name] ?? '')
