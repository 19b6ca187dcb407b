import { remember } from '../domain/remember.ts'

/** Formats of dates, made once for each language and zone: making one takes longer than using it. */

type Options = Intl.DateTimeFormatOptions & { readonly timeZone: string }

/** People choose their zones, of which there are some hundreds. */
const KEPT = 500

const formats = remember(
  KEPT,
  (_, { locale, options }: { readonly locale: string; readonly options: Options }) =>
    new Intl.DateTimeFormat(locale, options),
)

export const dateFormat = (locale: string, options: Options): Intl.DateTimeFormat =>
  formats(`${locale} ${JSON.stringify(options)}`, { locale, options })
