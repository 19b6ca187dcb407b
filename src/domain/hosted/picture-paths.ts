/** The addresses of pictures: sent in the active configuration and served by the pages. */
export const flagPath = (country: string): string => `/assets/flags/${country.toLowerCase()}.svg`

/** One logo for an operator, whichever countries it works in. */
export const logoPath = (displayName: string): string => `/assets/logos/${slugOf(displayName)}.png`

const slugOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
