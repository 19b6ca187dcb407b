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
