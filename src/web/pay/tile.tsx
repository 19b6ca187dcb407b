/**
 * Stands in for the logo of a provider: initials on a neutral ground. Operators' own logos and
 * colours are trademarks that we may not hand out. Part of the page, so a list of providers needs no
 * request; `scripts/draw-logos.mjs` makes the pictures in `catalog/logos` from it.
 */
export function Tile({ name }: { readonly name: string }) {
  return (
    <svg class="tile" viewBox="0 0 32 32" width="32" height="32" aria-hidden="true">
      <rect x=".5" y=".5" width="31" height="31" rx="7.5" />
      <text x="16" y="20" text-anchor="middle">
        {initialsOf(name)}
      </text>
    </svg>
  )
}

/** A short name is known as it is; of others, how it begins, or the first letter of each word. */
function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  const [first = '', second] = words
  if (/^[A-Z]{2,3}$/.test(first)) return first
  if (second === undefined) return first.length <= 4 ? first : first.slice(0, 3)
  return words
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
    .slice(0, 3)
}
