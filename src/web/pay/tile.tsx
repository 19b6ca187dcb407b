/**
 * Stands in for the logo of an operator: its initials on a colour. Operators' own logos are
 * trademarks that we may not hand out. Part of the page, so a list of providers needs no request;
 * `scripts/draw-logos.mjs` makes the pictures in `catalog/logos` from it.
 */
export function Tile({ name }: { readonly name: string }) {
  return (
    <svg class="tile" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill={`rgb(${colourOf(name).join()})`} />
      <text x="16" y="20.5" text-anchor="middle" fill="#fff">
        {initialsOf(name)}
      </text>
    </svg>
  )
}

/** Dark enough for white letters to be read on. */
const COLOURS = [
  [31, 78, 121],
  [96, 61, 120],
  [0, 98, 92],
  [140, 69, 32],
  [58, 96, 52],
  [122, 45, 73],
  [71, 82, 94],
] as const

/** A short name in capitals is known as it is; of others, the first letter of each word. */
function initialsOf(displayName: string): string {
  if (/^[A-Z]{2,3}$/.test(displayName)) return displayName
  const words = displayName.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  return words
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
    .slice(0, 3)
}

/** The same name has the same colour on every node and after every start. */
function colourOf(displayName: string): (typeof COLOURS)[number] {
  let sum = 0
  for (const letter of displayName) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521
  return COLOURS[sum % COLOURS.length] ?? COLOURS[0]
}
