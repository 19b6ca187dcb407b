/** Filters kept under a name: one's own, and those that others of the merchant share. */
import type { Page } from '../../../http/pages.ts'
import { dropView, keepView, type SavedView } from '../../../usecases/people/saved-views.ts'
import { Field } from '../fields.tsx'
import { Form } from '../frame.tsx'
import { goTo } from '../guard.tsx'
import { LIST_WORDS } from '../payments/words.ts'
import type { Visit } from '../visit.ts'
import type { ListShape } from './shape.ts'

type Props = {
  readonly visit: Visit
  readonly place: string
  /** What a view that is saved now would show. */
  readonly query: string
  readonly views: readonly SavedView[]
}

export function Views({ visit, place, query, views }: Props) {
  const words = LIST_WORDS[visit.lang]
  return (
    <details class="panel">
      <summary>{words.views}</summary>
      {views.length === 0 ? <p class="note">{words.noViews}</p> : null}
      <ul class="plain-list">
        {views.map((view) => (
          <li key={`${view.userId} ${view.name}`} class="row">
            <a href={`/dashboard/${place}?${view.query || 'all'}`}>{view.name}</a>
            {view.isDefault ? <span class="badge">{words.isDefault}</span> : null}
            {view.userId === visit.person.user.userId ? (
              <Form
                visit={visit}
                action={`/dashboard/${place}/views/remove`}
                values={{ name: view.name }}
              >
                <button type="submit" class="plain">
                  {words.removeView}
                </button>
              </Form>
            ) : null}
          </li>
        ))}
      </ul>
      <Form visit={visit} action={`/dashboard/${place}/views`} class="stack" values={{ query }}>
        <Field name="name" label={words.viewName} hint={words.viewHint} />
        <label>
          <input type="checkbox" name="shared" value="yes" /> {words.shareView}
        </label>
        <label>
          <input type="checkbox" name="default" value="yes" /> {words.defaultView}
        </label>
        <button type="submit">{words.saveView}</button>
      </Form>
    </details>
  )
}

const NAME_MAX = 60

export async function saveViewAct(visit: Visit, { place }: ListShape): Promise<Page> {
  const { ctx, person, request, lang } = visit
  const words = LIST_WORDS[lang]
  const { form } = request
  const name = (form.get('name') ?? '').trim().slice(0, NAME_MAX)
  const query = new URLSearchParams(form.get('query') ?? '').toString()
  const path = `/dashboard/${place}?${query || 'all'}`
  if (name === '') return goTo(visit, path, words.viewNeedsName, true)
  await keepView(ctx, person, place, {
    name,
    query,
    isShared: form.get('shared') === 'yes',
    isDefault: form.get('default') === 'yes',
  })
  return goTo(visit, path, words.viewSaved)
}

export async function removeViewAct(visit: Visit, { place }: ListShape): Promise<Page> {
  const { ctx, person, request, lang } = visit
  await dropView(ctx, person, place, request.form.get('name') ?? '')
  return goTo(visit, `/dashboard/${place}?all`, LIST_WORDS[lang].viewRemoved)
}
