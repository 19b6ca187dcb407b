/** The stand-in wallet of a provider that redirects its customers: approve, or refuse. */
import type { WalletPage } from '../../../usecases/sandbox/wallet.ts'
import { assets } from '../../assets.ts'
import { Frame } from '../../frame.tsx'
import { money } from '../../money.ts'
import { type Page, renderPage } from '../../page.tsx'
import { Qr } from '../../qr.tsx'
import { fill, type Lang } from '../../words.ts'
import { WALLET_WORDS, type WalletWords } from './words.ts'

const STYLE = assets('page.css', 'wallet.css')

type Sentences = { readonly title: keyof WalletWords; readonly text: keyof WalletWords }

const SENTENCES: Readonly<Record<WalletPage['state'] | 'LOST', Sentences>> = {
  OPEN: { title: 'title', text: 'ask' },
  BUSY: { title: 'busyTitle', text: 'busy' },
  PAID: { title: 'paidTitle', text: 'paid' },
  NOT_PAID: { title: 'notPaidTitle', text: 'notPaid' },
  LOST: { title: 'lostTitle', text: 'lost' },
}

/** `path` is the address of the page; without a payment it says that there is none. */
export function renderWallet(info: WalletPage | undefined, path: string, lang: Lang): Page {
  const words = WALLET_WORDS[lang]
  const { title, text } = SENTENCES[info?.state ?? 'LOST']
  const values = {
    money: info === undefined ? '' : money(info.amount, info.currency, lang),
    payee: info?.payee ?? '',
    provider: info?.provider ?? '',
  }
  const heading = fill(words[title], values)
  return renderPage({
    lang,
    title: heading,
    style: STYLE,
    leadsTo: info?.returnUrls ?? [],
    body: (
      <Frame lang={lang}>
        <main id="content" class="wallet">
          {info === undefined ? null : <p class="note">{fill(words.notice, values)}</p>}
          <h1>{heading}</h1>
          <p class="lead">{fill(words[text], values)}</p>
          {info?.state === 'OPEN' ? (
            <>
              <Answers words={words} path={path} lang={lang} />
              <figure class="qr">
                <Qr text={info.url} />
                <figcaption>{words.scan}</figcaption>
              </figure>
            </>
          ) : null}
        </main>
      </Frame>
    ),
  })
}

type AnswersProps = { readonly words: WalletWords; readonly path: string; readonly lang: Lang }

function Answers({ words, path, lang }: AnswersProps) {
  return (
    <div class="answers">
      <form method="post" action={`${path}/approve?lang=${lang}`}>
        <button type="submit" class="approve">
          {words.approve}
        </button>
      </form>
      <form method="post" action={`${path}/refuse?lang=${lang}`}>
        <button type="submit">{words.refuse}</button>
      </form>
    </div>
  )
}
