import { Readable } from 'node:stream'
import { MOVEMENT_TYPES } from '../../../domain/statements/statement-file.ts'
import type { Page } from '../../../http/pages.ts'
import { archivedOf } from '../../../usecases/archive/archived.ts'
import { type Breakdown, breakDown } from '../../../usecases/statements/break-down.ts'
import {
  type MovementPage,
  pageOfMovements,
} from '../../../usecases/statements/browse-movements.ts'
import { streamStatement } from '../../../usecases/statements/manage-exports.ts'
import { type Wallet, walletsOf } from '../../../usecases/statements/wallets.ts'
import { fill } from '../../words.ts'
import { ApplyFilters, Choice, ClearFilters } from '../fields.tsx'
import { dashboardPage, missingPage } from '../frame.tsx'
import { goTo } from '../guard.tsx'
import { csvStyleIn } from '../lists/csv.ts'
import { PER_PAGE } from '../lists/filter.ts'
import { providerName } from '../payments/parts.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { type AskedStatement, askedIn, fileNameOf, readStatement } from './asked.ts'
import { ExportButtons } from './export-buttons.tsx'
import { Movements } from './movements.tsx'
import { Faults, PeriodFields, Sum, walletText, ZoneNote } from './parts.tsx'
import { MONEY_WORDS } from './words.ts'

async function readQuery(
  visit: Visit,
  wallets: readonly Wallet[],
): Promise<AskedStatement | undefined> {
  const archived = await archivedOf(visit.ctx, visit.person.merchant.id)
  return readStatement(visit, wallets, askedIn(Object.entries(visit.request.query)), archived)
}

/** The movements of one wallet with the balance after each, newest first. */
export async function statementsPage(visit: Visit): Promise<Page> {
  const { ctx, person, request } = visit
  const wallets = await walletsOf(ctx, person)
  const read = await readQuery(visit, wallets)
  if (read === undefined) {
    return request.query.wallet === undefined ? noWalletPage(visit) : missingPage(visit)
  }
  const per = PER_PAGE.find((count) => String(count) === request.query.per) ?? PER_PAGE[0]
  const after = typeof request.query.after === 'string' ? request.query.after : undefined
  const page = await pageOfMovements(ctx, person.merchant.id, read.filter, { after, per })
  const found = await breakDown(ctx, person.merchant.id, read.filter.wallet, read.filter)
  const heading = DASHBOARD_WORDS[visit.lang].statements
  return dashboardPage(visit, {
    name: 'statements',
    heading,
    children: (
      <>
        <h1>{heading}</h1>
        <Filters visit={visit} wallets={wallets} read={read} per={per} />
        <Balance visit={visit} read={read} found={found} />
        {page.rows.length === 0 ? (
          <Nothing visit={visit} read={read} />
        ) : (
          <Movements visit={visit} read={read} rows={page.rows} />
        )}
        <Pages visit={visit} read={read} page={page} per={per} isFirst={after === undefined} />
        <Files visit={visit} read={read} />
      </>
    ),
  })
}

/** Exactly the rows of the filter. */
export async function statementsCsv(visit: Visit): Promise<Page> {
  const { ctx, person, request } = visit
  const read = await readQuery(visit, await walletsOf(ctx, person))
  // A period that was not understood must not become a file of another one.
  if (read === undefined || read.faults.length > 0) return missingPage(visit)
  const { archivedYear } = read.period
  if (archivedYear !== undefined) {
    const words = fill(MONEY_WORDS[visit.lang].archived, { year: archivedYear })
    return goTo(visit, `/dashboard/statements?wallet=${read.wallet.name}`, words, true)
  }
  const csv = csvStyleIn(request.query)
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${fileNameOf(visit, read)}.csv"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  if (request.method === 'HEAD') return { headers, body: '' }
  const rows = await streamStatement(ctx, person, read.filter, csv)
  return { headers, body: Readable.from(rows, { objectMode: false }) }
}

function noWalletPage(visit: Visit): Page {
  const heading = DASHBOARD_WORDS[visit.lang].statements
  const words = MONEY_WORDS[visit.lang]
  return dashboardPage(visit, {
    name: 'statements',
    heading,
    children: (
      <>
        <h1>{heading}</h1>
        <div class="panel empty">
          <p>{words.noStatement}</p>
          <p>
            <a href="/dashboard/balances">{words.toBalances}</a>
          </p>
        </div>
      </>
    ),
  })
}

type Props = { readonly visit: Visit; readonly read: AskedStatement }

type FilterProps = Props & { readonly wallets: readonly Wallet[]; readonly per: number }

function Filters({ visit, wallets, read, per }: FilterProps) {
  const words = MONEY_WORDS[visit.lang]
  const any = { value: '', text: words.any }
  const providers = [...visit.person.merchant.providers.keys()].filter(
    (code) => visit.ctx.providers.catalog.find(code)?.country === read.wallet.country,
  )
  return (
    <form action="/dashboard/statements" class="panel">
      <Faults visit={visit} faults={read.faults} archivedYear={read.period.archivedYear} />
      <div class="filters">
        <Choice
          name="wallet"
          label={words.wallet}
          value={read.wallet.name}
          options={wallets.map((one) => ({ value: one.name, text: walletText(visit, one) }))}
        />
        <PeriodFields visit={visit} period={read.period} />
        <Choice
          name="type"
          label={words.type}
          value={read.filter.type}
          options={[
            any,
            ...MOVEMENT_TYPES.map((type) => ({ value: type, text: words[`type_${type}`] })),
          ]}
        />
        <Choice
          name="provider"
          label={words.provider}
          value={read.filter.provider}
          options={[
            any,
            ...providers.map((code) => ({ value: code, text: providerName(visit, code) })),
          ]}
        />
        <Choice
          name="per"
          label={words.perPage}
          value={String(per)}
          options={PER_PAGE.map((count) => ({ value: String(count), text: String(count) }))}
        />
        <ApplyFilters visit={visit} clearAt={`/dashboard/statements?wallet=${read.wallet.name}`} />
      </div>
      <ZoneNote visit={visit} />
    </form>
  )
}

/** Opening balance, what came and went, closing balance: always of all movements of the period. */
function Balance({ visit, read, found }: Props & { readonly found: Breakdown }) {
  const words = MONEY_WORDS[visit.lang]
  const { currency } = read.wallet
  const figures = [
    [words.opening, found.opening],
    [words.moneyIn, found.moneyIn],
    [words.moneyOut, found.moneyOut],
    [words.closing, found.closing],
  ] as const
  return (
    <dl class="panel sums">
      {figures.map(([label, amount]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Sum visit={visit} amount={amount} currency={currency} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Nothing({ visit, read }: Props) {
  const words = MONEY_WORDS[visit.lang]
  return (
    <div class="panel empty">
      <p>{words.noMovements}</p>
      <p>
        <ClearFilters visit={visit} at={`/dashboard/statements?wallet=${read.wallet.name}`} />
      </p>
    </div>
  )
}

type PagesProps = Props & {
  readonly page: MovementPage
  readonly per: number
  readonly isFirst: boolean
}

function Pages({ visit, read, page, per, isFirst }: PagesProps) {
  const words = MONEY_WORDS[visit.lang]
  const address = (more: Readonly<Record<string, string>>): string =>
    `/dashboard/statements?${new URLSearchParams({ ...read.asked, per: String(per), ...more })}`
  return (
    <>
      {page.isCut ? <p class="notice warn">{words.lookFurther}</p> : null}
      {isFirst && page.next === undefined ? null : (
        <nav class="row" aria-label={words.older}>
          {isFirst ? null : <a href={address({})}>{words.newest}</a>}
          {page.next === undefined ? null : (
            <a href={address({ after: page.next })}>{page.isCut ? words.further : words.older}</a>
          )}
        </nav>
      )}
    </>
  )
}

function Files({ visit, read }: Props) {
  const words = MONEY_WORDS[visit.lang]
  const address = (more: Readonly<Record<string, string>> = {}): string =>
    `/dashboard/statements.csv?${new URLSearchParams({ ...read.asked, ...more })}`
  return (
    <section class="panel" aria-labelledby="files-heading">
      <h2 id="files-heading">{words.exportHeading}</h2>
      <p class="note">{words.exportText}</p>
      <ExportButtons visit={visit} values={{ kind: 'statement', ...read.asked }} hasPdf />
      <nav class="row" aria-label={words.download}>
        <span>{words.download}</span>
        <a href={address()}>{words.csv}</a>
        <a href={address({ mode: 'spreadsheet' })}>{words.csvSpreadsheet}</a>
        <a href={address({ mode: 'spreadsheet', separator: ';' })}>{words.csvFrench}</a>
      </nav>
    </section>
  )
}
