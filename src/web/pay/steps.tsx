import type { ProviderView } from '../../usecases/hosted/view.ts'
import { fill, type Lang } from '../words.ts'
import { PAY_WORDS } from './words.ts'

type StepsProps = { readonly provider: ProviderView; readonly lang: Lang }

/** What to do on the phone, with a link that dials it where the page is open on that phone. */
export function Steps({ provider, lang }: StepsProps) {
  const channels = provider.instructions?.channels ?? []
  return (
    <>
      {channels.map(({ quickLink, variables, instructions }) => {
        const code = quickLink ?? variables.shortCode
        return (
          <div key={code} class="steps">
            <ol>
              {instructions[lang].map(({ text }) => (
                <li key={text}>{text}</li>
              ))}
            </ol>
            {code === undefined ? null : (
              <a class="dial" href={`tel:${code.replaceAll('#', '%23')}`}>
                {fill(PAY_WORDS[lang].dial, { code })}
              </a>
            )}
          </div>
        )
      })}
    </>
  )
}
