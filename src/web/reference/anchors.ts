/** Addresses inside the reference. Others link to them, so they follow names, not order. */

/** Where the reference explains the sandbox's numbers: a heading "Test numbers" in its texts. */
export const TEST_NUMBERS_ANCHOR = 'test-numbers'

/** Makes readable ids and keeps them unique within one page. */
export function idClaimer(): (name: string) => string {
  const taken = new Set<string>(['content', 'contents', 'announcement', 'filter'])
  return (name) => {
    const base = slugOf(name)
    let id = base
    for (let number = 2; taken.has(id); number++) id = `${base}-${number}`
    taken.add(id)
    return id
  }
}

function slugOf(text: string): string {
  const slug = text
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return slug === '' ? 'part' : slug
}
