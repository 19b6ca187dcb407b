/** Addresses inside the documentation. Others link to them, so they follow names, not order. */

export const DOCS = '/docs'

/** The page of a group of operations. */
export const groupPath = (id: string): string => `${DOCS}/api/${id}`

/** What holds for all operations has a page beside theirs. */
export const BASICS_PAGE = 'basics'

/** Where the sandbox's numbers are explained: a heading "Test numbers" in the introduction. */
export const TEST_NUMBERS_PATH = `${groupPath(BASICS_PAGE)}#test-numbers`

export const SEARCH_PATH = `${DOCS}/search`

/** Ids that every page has already. */
const TAKEN = ['content', 'contents', 'announcement', 'search', 'found']

/** Makes readable ids and keeps them unique within the reference. */
export function idClaimer(): (name: string) => string {
  return uniqueNames(slugOf, 2)
}

/** Makes the ids that GitHub gives the headings of a document, so that its links work here too. */
export function headingClaimer(): (name: string) => string {
  return uniqueNames(headingSlugOf, 1)
}

function uniqueNames(nameOf: (text: string) => string, second: number): (text: string) => string {
  const used = new Set(TAKEN)
  return (text) => {
    const base = nameOf(text)
    let id = base
    for (let number = second; used.has(id); number++) id = `${base}-${number}`
    used.add(id)
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

function headingSlugOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}
