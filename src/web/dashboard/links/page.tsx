import type { Page } from '../../../http/pages.ts'
import {
  findPaymentLink,
  linkAddress,
  linkState,
  type PaymentLink,
} from '../../../usecases/hosted/payment-links.ts'
import { CodeBlock } from '../../frame.tsx'
import { money } from '../../money.ts'
import { Qr } from '../../qr.tsx'
import { fill } from '../../words.ts'
import { dashboardPage, Form, missingPage } from '../frame.tsx'
import { Metadata } from '../payments/metadata.tsx'
import { countryName } from '../payments/parts.tsx'
import { momentText, When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DepositLink, LINKS_PATH, LinkStateMark, sumText } from './parts.tsx'
import { LINK_WORDS } from './words.ts'

/** One link, to copy, to show or to expire. */
export async function linkPage(visit: Visit): Promise<Page> {
  const { ctx, person, request, lang } = visit
  const link = await findPaymentLink(ctx, person, request.params.id ?? '')
  if (link === undefined) return missingPage(visit)
  const words = LINK_WORDS[lang]
  const heading = link.reason ?? words[`name_${link.kind}`]
  const state = linkState(ctx, link)
  const isOpen = state === 'OPEN' || state === 'PAYING'
  const path = `${LINKS_PATH}/${link.id}`
  const address = linkAddress(ctx, link)
  return dashboardPage(visit, {
    name: 'links',
    heading,
    children: (
      <>
        <p>
          <a href={LINKS_PATH}>{words.back}</a>
        </p>
        <div class="spread">
          <h1>{heading}</h1>
          <LinkStateMark visit={visit} state={state} />
        </div>
        <CodeBlock lang={lang} title={words.address} label={words.address} code={address} />
        {isOpen ? (
          <section class="panel" aria-label={words.qr}>
            <Qr text={address} />
            <p>
              <a href={`${path}/print`}>{words.print}</a>
            </p>
          </section>
        ) : null}
        <Facts visit={visit} link={link} />
        <Metadata visit={visit} entries={link.metadata ?? []} />
        {isOpen && link.kind === 'CHECKOUT' ? (
          <Form visit={visit} action={`${path}/expire`} class="stack">
            <p class="note">{words.expireText}</p>
            <button type="submit" class="danger">
              {words.expire}
            </button>
          </Form>
        ) : null}
      </>
    ),
  })
}

function Facts({ visit, link }: { visit: Visit; link: PaymentLink }) {
  const words = LINK_WORDS[visit.lang]
  const { country, currency, reference } = link
  return (
    <dl class="facts">
      <dt>{words.kind}</dt>
      <dd>{words[`name_${link.kind}`]}</dd>
      <dt>{words.amount}</dt>
      <dd>{sumText(visit, link)}</dd>
      <dt>{words.place}</dt>
      <dd>{country === null ? words.placeAny : `${countryName(visit, country)} · ${currency}`}</dd>
      {reference === null ? null : (
        <>
          <dt>{words.reference}</dt>
          <dd>{reference}</dd>
        </>
      )}
      <dt>{words.payment}</dt>
      <dd>
        <DepositLink visit={visit} link={link} />
      </dd>
      <dt>{words.creator}</dt>
      <dd>
        {link.creator}, <When visit={visit} ms={link.createdAt} />
      </dd>
      <dt>{words.expires}</dt>
      <dd>
        <When visit={visit} ms={link.expiresAt} />
      </dd>
    </dl>
  )
}

/** A sheet of paper for the counter or the invoice: the menu is not printed. */
export async function printPage(visit: Visit): Promise<Page> {
  const { ctx, person, request, lang } = visit
  const link = await findPaymentLink(ctx, person, request.params.id ?? '')
  if (link === undefined) return missingPage(visit)
  const words = LINK_WORDS[lang]
  const heading = fill(words.payTo, { merchant: person.merchant.name })
  const address = linkAddress(ctx, link)
  return dashboardPage(visit, {
    name: 'links',
    heading,
    children: (
      <>
        <p class="row unprinted">
          <a href={`${LINKS_PATH}/${link.id}`}>{words.backToLink}</a>
          <span>{words.printHint}</span>
        </p>
        <div class="sheet">
          <h1>{heading}</h1>
          {link.amount === null ? null : (
            <p class="sum">{money(link.amount, link.currency ?? '', lang)}</p>
          )}
          {link.reason === null ? null : <p>{link.reason}</p>}
          <Qr text={address} />
          <p>{words.scan}</p>
          <p class="address">
            <bdi>{address}</bdi>
          </p>
          <p>{fill(words.validUntil, { time: momentText(visit, link.expiresAt, false) })}</p>
        </div>
      </>
    ),
  })
}
