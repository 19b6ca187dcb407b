import { randomUUID } from 'node:crypto'
import type { CsvStyle } from '../../domain/csv.ts'
import { may } from '../../domain/people/roles.ts'
import { present } from '../../domain/present.ts'
import {
  type Export,
  type ExportFormat,
  type ExportSubject,
  exportName,
  isFetchable,
  type MovementFilter,
} from '../../domain/statements/export.ts'
import { addExport, findExport, listExports } from '../../store/statements/exports.ts'
import { changeAs, recordChange } from '../people/change.ts'
import type { PeopleContext, Person } from '../people/context.ts'
import { statementLines } from './browse-movements.ts'
import { storedPieces } from './stored-file.ts'
import { maySee } from './wallets.ts'

type Order = { readonly subject: ExportSubject; readonly format: ExportFormat }

const showsPiiTo = ({ role }: Person): boolean => may(role, 'pii:reveal')

/** Stores what a person asked for; a node writes the file as soon as one is free. */
export async function requestExport(
  ctx: PeopleContext,
  person: Person,
  { subject, format }: Order,
): Promise<string> {
  const id = randomUUID()
  const showsPii = showsPiiTo(person)
  const { user, merchant } = person
  const named = { merchantId: merchant.id, userId: user.userId, id, createdAt: ctx.clock.now() }
  const change = {
    action: 'export made',
    object: exportName({ subject, format }),
    after: { ...factsOf(subject), format, personalData: showsPii },
  }
  await changeAs(ctx, person, change, (tx) =>
    addExport(tx, { ...named, subject, format, showsPii }),
  )
  ctx.work.wake()
  return id
}

/** Which rows, in the words of the audit log. */
const factsOf = (subject: ExportSubject): object => {
  if (subject.kind === 'statement') return factsOfStatement(subject)
  const { merchantId: _, within: __, ...filter } = subject.filter
  return { filter, countries: subject.countries }
}

const factsOfStatement = ({ wallet, startAt, endAt, type, provider }: MovementFilter): object => ({
  wallet: [wallet.country, wallet.currency, wallet.provider].filter(Boolean).join('-'),
  from: new Date(startAt).toISOString(),
  to: new Date(endAt).toISOString(),
  ...present({ type, provider }),
})

/** The same once more, as it would be asked for now. False where the person may not see it. */
export async function repeatExport(
  ctx: PeopleContext,
  person: Person,
  id: string,
): Promise<boolean> {
  const found = await exportOf(ctx, person, id)
  if (found === undefined) return false
  await requestExport(ctx, person, found)
  return true
}

const LISTED_MAX = 200

/** The latest ones of the merchant, as far as the person may see what they are about. */
export async function exportsFor(ctx: PeopleContext, person: Person): Promise<readonly Export[]> {
  const all = await listExports(ctx.db, person.merchant.id, LISTED_MAX)
  return all.filter(({ subject }) => maySeeSubject(person, subject))
}

function maySeeSubject(person: Person, subject: ExportSubject): boolean {
  if (subject.kind === 'statement') return maySee(person, subject.wallet)
  const { countries } = person
  if (countries.length === 0) return true
  return subject.countries.length > 0 && subject.countries.every((one) => countries.includes(one))
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

async function exportOf(
  ctx: PeopleContext,
  person: Person,
  id: string,
): Promise<Export | undefined> {
  if (!UUID.test(id)) return undefined
  const found = await findExport(ctx.db, person.merchant.id, id)
  return found !== undefined && maySeeSubject(person, found.subject) ? found : undefined
}

type ExportFile = {
  readonly export: Export
  readonly size: number
  readonly pieces: AsyncIterable<Buffer>
}

/**
 * People who could make the same export may have its file, but nobody gets personal data out of it that
 * they may not see, or may not see any more.
 */
export const mayFetch = (person: Person, { subject, showsPii }: Export): boolean =>
  maySeeSubject(person, subject) && (!showsPii || showsPiiTo(person))

/** EXPIRED: it was there; it can be made again. */
export async function fetchExport(
  ctx: PeopleContext,
  person: Person,
  id: string,
): Promise<ExportFile | 'EXPIRED' | undefined> {
  const found = await exportOf(ctx, person, id)
  if (found?.fileSize === undefined || !mayFetch(person, found)) return undefined
  if (!isFetchable(found, ctx.clock.now())) return 'EXPIRED'
  return {
    export: found,
    size: found.fileSize,
    pieces: storedPieces(ctx.db, 'exports', found, found.fileSize),
  }
}

/** The making of one's own is noted already; that somebody has another's is noted here. */
export async function noteFetched(ctx: PeopleContext, person: Person, one: Export): Promise<void> {
  if (one.userId === person.user.userId) return
  const after = { askedBy: one.askedBy, personalData: one.showsPii }
  const change = { action: 'export downloaded', object: exportName(one), after }
  await changeAs(ctx, person, change, async () => {})
}

/** A statement at once, without a job. It is noted before the first row leaves. */
export async function streamStatement(
  ctx: PeopleContext,
  person: Person,
  filter: MovementFilter,
  csv: CsvStyle,
): Promise<AsyncIterable<Buffer>> {
  const { merchant } = person
  const { wallet } = filter
  const showsPii = showsPiiTo(person)
  await ctx.db.inTransaction((tx) =>
    recordChange(ctx, tx, person, {
      action: 'statement downloaded',
      object: [wallet.country, wallet.currency, wallet.provider].filter(Boolean).join('-'),
      after: { ...factsOfStatement(filter), personalData: showsPii },
    }),
  )
  const style = { wallet, csv, showsPii, masksPhones: !showsPii }
  return (async function* () {
    for await (const { text } of statementLines(ctx, merchant.id, filter, style)) {
      yield Buffer.from(text)
    }
  })()
}
