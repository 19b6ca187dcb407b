/** Formats of dates, made once for each language and zone: making one takes longer than using it. */

const KEPT = 500
const formats = new Map<string, Intl.DateTimeFormat>()

export function dateFormat(
  locale: string,
  options: Intl.DateTimeFormatOptions & { readonly timeZone: string },
): Intl.DateTimeFormat {
  const name = `${locale} ${JSON.stringify(options)}`
  const known = formats.get(name)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(locale, options)
  // People choose their zones, of which there are some hundreds.
  if (formats.size >= KEPT) formats.clear()
  formats.set(name, made)
  return made
}
