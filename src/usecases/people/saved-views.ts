import {
  deleteView,
  listViews,
  type SavedView,
  saveView,
  type ViewOwner,
} from '../../store/people/views.ts'
import { changeAs } from './change.ts'
import type { PeopleContext, Person } from './context.ts'

export type { SavedView }

const ownerOf = ({ merchant, user }: Person, place: string): ViewOwner => ({
  merchantId: merchant.id,
  userId: user.userId,
  place,
})

export const viewsOf = (
  ctx: PeopleContext,
  person: Person,
  place: string,
): Promise<readonly SavedView[]> => listViews(ctx.db, ownerOf(person, place))

/** A person's choice of columns is kept beside the views of the list, at a place of its own. */
const columnsAt = (place: string): string => `${place}/columns`
const COLUMNS = 'columns'

/** The columns that a person chose for a list, with commas. */
export async function columnsFor(
  ctx: PeopleContext,
  person: Person,
  place: string,
): Promise<string | undefined> {
  const [kept] = await listViews(ctx.db, ownerOf(person, columnsAt(place)))
  return kept?.query
}

export const keepColumns = (
  ctx: PeopleContext,
  person: Person,
  place: string,
  columns: readonly string[],
): Promise<void> => {
  const view = { name: COLUMNS, query: columns.join(','), isShared: false, isDefault: false }
  const change = { action: 'columns chosen', object: place, after: { columns } }
  return changeAs(ctx, person, change, (tx) =>
    saveView(tx, ownerOf(person, columnsAt(place)), view),
  )
}

export const dropColumns = (ctx: PeopleContext, person: Person, place: string): Promise<void> =>
  changeAs(ctx, person, { action: 'columns reset', object: place }, (tx) =>
    deleteView(tx, ownerOf(person, columnsAt(place)), COLUMNS),
  )

export const keepView = (
  ctx: PeopleContext,
  person: Person,
  place: string,
  view: Omit<SavedView, 'userId'>,
): Promise<void> =>
  changeAs(
    ctx,
    person,
    { action: 'view saved', object: `${place}: ${view.name}`, after: view },
    (tx) => saveView(tx, ownerOf(person, place), view),
  )

export const dropView = (
  ctx: PeopleContext,
  person: Person,
  place: string,
  name: string,
): Promise<void> =>
  changeAs(ctx, person, { action: 'view removed', object: `${place}: ${name}` }, (tx) =>
    deleteView(tx, ownerOf(person, place), name),
  )
