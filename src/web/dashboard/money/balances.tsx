import { present } from '../../../domain/present.ts'
import type { Page } from '../../../http/pages.ts'
import { archivedOf } from '../../../usecases/archive/archived.ts'
import { type Breakdown, breakDown } from '../../../usecases/statements/break-down.ts'
import { asStatementWallet, type Wallet, walletsOf } from '../../../usecases/statements/wallets.ts'
import { fill } from '../../words.ts'
import { ApplyFilters, byText, Choice } from '../fields.tsx'
import { dashboardPage, missingPage } from '../frame.tsx'
import { countryName, providerName } from '../payments/parts.tsx'
import { StackedTable } from '../stacked-table.tsx'
import { momentText, When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { askedIn, type Period, readPeriod } from './asked.ts'
import { Faults, PeriodFields, Sum, walletText, ZoneNote } from './parts.tsx'
import { MONEY_WORDS } from './words.ts'

/** The wallets, and what became of one of them in a period. */
export async function balancesPage(visit: Visit): Promise<Page> {
  const asked = askedIn(Object.entries(visit.request.query))
  const all = await walletsOf(visit.ctx, visit.person)
  const opened = all.find(({ name }) => name === asked.wallet)
  if (asked.wallet !== undefined && opened === undefined) return missingPage(visit)
  const { country } = asked
  const shown = all.filter((wallet) => country === undefined || wallet.country === country)
  const heading = DASHBOARD_WORDS[visit.lang].balances
  return dashboardPage(visit, {
    name: 'balances',
    heading,
    children: (
      <>
        <h1>{heading}</h1>
        <Countries visit={visit} all={all} country={country} />
        {shown.length === 0 ? (
          <NoWallets visit={visit} isFiltered={all.length > 0} />
        ) : (
          <Wallets visit={visit} wallets={shown} country={country} />
        )}
        {opened === undefined ? null : await breakdownPanel(visit, opened, country)}
      </>
    ),
  })
}

type CountryProps = {
  readonly visit: Visit
  readonly all: readonly Wallet[]
  readonly country: string | undefined
}

function Countries({ visit, all, country }: CountryProps) {
  const words = MONEY_WORDS[visit.lang]
  const countries = [...new Set(all.map((wallet) => wallet.country))]
  return (
    <form action="/dashboard/balances" class="filters">
      <Choice
        name="country"
        label={words.country}
        value={country}
        options={[
          { value: '', text: words.any },
          ...byText(
            visit.lang,
            countries.map((value) => ({ value, text: countryName(visit, value) })),
          ),
        ]}
      />
      <ApplyFilters visit={visit} />
    </form>
  )
}

function NoWallets({ visit, isFiltered }: { readonly visit: Visit; readonly isFiltered: boolean }) {
  const words = MONEY_WORDS[visit.lang]
  return (
    <div class="panel empty">
      <p>{isFiltered ? words.noWalletsHere : words.noWallets}</p>
      <p>
        {isFiltered ? (
          <a href="/dashboard/balances">{words.showAll}</a>
        ) : (
          <a href="/dashboard">{DASHBOARD_WORDS[visit.lang].backHome}</a>
        )}
      </p>
    </div>
  )
}

type WalletsProps = {
  readonly visit: Visit
  readonly wallets: readonly Wallet[]
  readonly country: string | undefined
}

function Wallets({ visit, wallets, country }: WalletsProps) {
  const words = MONEY_WORDS[visit.lang]
  return (
    <StackedTable
      caption={words.balancesCaption}
      heads={[
        words.country,
        words.currency,
        words.provider,
        { text: words.available, isNumber: true },
        { text: words.reserved, isNumber: true },
        words.lastMovement,
        words.actions,
      ]}
    >
      {wallets.map((wallet) => (
        <WalletRow key={wallet.name} visit={visit} wallet={wallet} country={country} />
      ))}
    </StackedTable>
  )
}

type WalletRowProps = {
  readonly visit: Visit
  readonly wallet: Wallet
  readonly country: string | undefined
}

function WalletRow({ visit, wallet, country }: WalletRowProps) {
  const words = MONEY_WORDS[visit.lang]
  const { name, currency, provider, available, reserved, movedAt } = wallet
  const text = walletText(visit, wallet)
  const kept = { wallet: name, ...present({ country }) }
  return (
    <tr>
      <th scope="row" data-label={words.country}>
        {countryName(visit, wallet.country)}
      </th>
      <td data-label={words.currency}>{currency}</td>
      <td data-label={words.provider}>
        {provider === null ? words.allProviders : providerName(visit, provider)}
      </td>
      <td class="number" data-label={words.available}>
        <Sum visit={visit} amount={available} currency={currency} />
      </td>
      <td class="number" data-label={words.reserved}>
        <Sum visit={visit} amount={reserved} currency={currency} />
      </td>
      <td data-label={words.lastMovement}>
        {movedAt === null ? words.never : <When visit={visit} ms={movedAt} />}
      </td>
      <td data-label={words.actions}>
        <span class="row">
          <a
            href={`/dashboard/balances?${new URLSearchParams(kept)}#breakdown`}
            aria-label={fill(words.ofFile, { action: words.breakdown, name: text })}
          >
            {words.breakdown}
          </a>
          <a
            href={`/dashboard/statements?${new URLSearchParams({ wallet: name })}`}
            aria-label={fill(words.ofFile, { action: words.statement, name: text })}
          >
            {words.statement}
          </a>
        </span>
      </td>
    </tr>
  )
}

async function breakdownPanel(visit: Visit, wallet: Wallet, country: string | undefined) {
  const { ctx, person, lang, request } = visit
  const words = MONEY_WORDS[lang]
  const archived = await archivedOf(ctx, person.merchant.id)
  const period = readPeriod(visit, askedIn(Object.entries(request.query)), archived)
  const found = await breakDown(ctx, person.merchant.id, asStatementWallet(wallet), period)
  const kept = { wallet: wallet.name, from: period.from, to: period.to }
  return (
    <section class="panel" id="breakdown" aria-labelledby="breakdown-heading">
      <h2 id="breakdown-heading">
        {fill(words.breakdownOf, { wallet: walletText(visit, wallet) })}
      </h2>
      <Faults visit={visit} faults={period.faults} archivedYear={period.archivedYear} />
      <form action="/dashboard/balances#breakdown" class="filters">
        <input type="hidden" name="wallet" value={wallet.name} />
        {country === undefined ? null : <input type="hidden" name="country" value={country} />}
        <PeriodFields visit={visit} period={period} />
        <ApplyFilters visit={visit} />
      </form>
      <ZoneNote visit={visit} />
      {found.rows.length === 0 ? <p>{words.nothingMoved}</p> : null}
      <BreakdownTable visit={visit} wallet={wallet} period={period} found={found} />
      <p>
        <a href={`/dashboard/statements?${new URLSearchParams(kept)}`}>{words.statement}</a>
      </p>
    </section>
  )
}

type BreakdownProps = {
  readonly visit: Visit
  readonly wallet: Wallet
  readonly period: Period
  readonly found: Breakdown
}

function BreakdownTable({ visit, wallet, period, found }: BreakdownProps) {
  const words = MONEY_WORDS[visit.lang]
  const { currency, name } = wallet
  const from = momentText(visit, period.startAt)
  const to = momentText(visit, period.endAt)
  const shown = { wallet: name, from: period.from, to: period.to }
  const change = (found.closing - found.opening) as typeof found.opening
  return (
    <div class="scroll">
      <table>
        <caption>{fill(words.breakdownCaption, { from, to })}</caption>
        <thead>
          <tr>
            <th scope="col">{words.type}</th>
            <th scope="col" class="number">
              {words.movements}
            </th>
            <th scope="col" class="number">
              {words.sum}
            </th>
          </tr>
        </thead>
        <tbody>
          <Total visit={visit} label={words.opening} amount={found.opening} currency={currency} />
          {found.rows.map(({ type, isCredit, count, sum }) => (
            <tr key={`${type} ${isCredit}`} data-type={type}>
              <th scope="row">
                <a href={`/dashboard/statements?${new URLSearchParams({ ...shown, type })}`}>
                  {words[`type_${type}`]}
                </a>
              </th>
              <td class="number">{new Intl.NumberFormat(visit.lang).format(count)}</td>
              <td class="number">
                <Sum visit={visit} amount={sum} currency={currency} />
              </td>
            </tr>
          ))}
          <Total visit={visit} label={words.change} amount={change} currency={currency} />
          <Total visit={visit} label={words.closing} amount={found.closing} currency={currency} />
        </tbody>
      </table>
    </div>
  )
}

type TotalProps = {
  readonly visit: Visit
  readonly label: string
  readonly amount: Breakdown['opening']
  readonly currency: string
}

function Total({ visit, label, amount, currency }: TotalProps) {
  return (
    <tr class="total">
      <th scope="row">{label}</th>
      <td />
      <td class="number">
        <Sum visit={visit} amount={amount} currency={currency} />
      </td>
    </tr>
  )
}
