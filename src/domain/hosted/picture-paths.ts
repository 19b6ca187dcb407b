/** Where this service shows pictures; told to merchants in one place and served in another. */
export const flagPath = (country: string): string => `/assets/flags/${country.toLowerCase()}.svg`

/** One logo for an operator, whichever countries it works in. */
export const logoPath = (displayName: string): string => `/assets/logos/${slugOf(displayName)}.png`

const slugOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
