/** Mail about changes of status: a part of the page, and what its forms do. */
import type { Page } from '../../../http/pages.ts'
import {
  type statusSubscriptionOf,
  subscribeToStatus,
  unsubscribeFromStatus,
} from '../../../usecases/people/status-subscriptions.ts'
import { fill } from '../../words.ts'
import { Choice } from '../fields.tsx'
import { Form, missingPage } from '../frame.tsx'
import { goTo } from '../guard.tsx'
import type { Visit } from '../visit.ts'
import { type CountryStatus, statusOfCountries } from './status.ts'
import { PROVIDER_WORDS } from './words.ts'

const PATH = '/dashboard/providers'

type Subscription = Awaited<ReturnType<typeof statusSubscriptionOf>>

type Props = {
  readonly visit: Visit
  readonly countries: readonly CountryStatus[]
  readonly subscription: Subscription
  /** The country that the page is about. */
  readonly asked: string
}

export function StatusMailPanel({ visit, countries, subscription, asked }: Props) {
  const words = PROVIDER_WORDS[visit.lang]
  const { email } = visit.person.user
  const options = [
    { value: '', text: words.allCountries },
    ...countries.map(({ country, name }) => ({ value: country, text: name })),
  ]
  const chosen = subscription === undefined ? asked : (subscription.country ?? '')
  const text = options.find(({ value }) => value === chosen)?.text ?? chosen
  return (
    <section class="panel" aria-labelledby="status-mail">
      <h2 id="status-mail">{words.mailHeading}</h2>
      {visit.ctx.people.mailer.way === 'NONE' ? (
        <p class="note">{words.mailNone}</p>
      ) : (
        <>
          <p>{fill(words.mailText, { email })}</p>
          {subscription && <p>{fill(words.mailOn, { country: text })}</p>}
          <Form visit={visit} action={`${PATH}/subscribe`} class="row">
            <Choice name="about" label={words.mailFor} value={chosen} options={options} />
            <button type="submit">{subscription ? words.changeCountry : words.subscribe}</button>
          </Form>
        </>
      )}
      {subscription && (
        <Form visit={visit} action={`${PATH}/unsubscribe`}>
          <button type="submit">{words.unsubscribe}</button>
        </Form>
      )}
    </section>
  )
}

export async function takeSubscription(visit: Visit): Promise<Page> {
  const { ctx, person, request, lang } = visit
  const words = PROVIDER_WORDS[lang]
  const country = request.form.get('about') || undefined
  const named = statusOfCountries(visit, country).find((one) => one.country === country)
  // A country that is not there, or not for this person.
  if (country !== undefined && named === undefined) return missingPage(visit)
  if (ctx.people.mailer.way === 'NONE') return goTo(visit, PATH, words.mailNone, true)
  await subscribeToStatus(ctx, person, { country, language: lang })
  return goTo(visit, PATH, fill(words.subscribed, { country: named?.name ?? words.allCountries }))
}

export async function endSubscription(visit: Visit): Promise<Page> {
  await unsubscribeFromStatus(visit.ctx, visit.person)
  return goTo(visit, PATH, PROVIDER_WORDS[visit.lang].unsubscribed)
}
