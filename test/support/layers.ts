/**
 * What each folder of src may import besides itself. A row names only rows above it, so folders form
 * no circle. `package-root.ts` is the one file that lies loose.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'package-root': [],
  domain: [],
  signing: [],
  outbound: ['domain'],
  wire: ['domain'],
  store: ['domain'],
  providers: ['domain', 'outbound'],
  callbacks: ['domain', 'wire', 'signing', 'outbound'],
  usecases: ['domain', 'signing', 'store', 'providers', 'callbacks'],
  workers: ['domain', 'store', 'usecases'],
  http: ['domain', 'wire', 'signing', 'usecases'],
  web: ['domain', 'usecases', 'http', 'package-root'],
  sdk: ['signing'],
  node: ['every row above'],
  cli: ['every row above'],
}

/** What each folder of code beside src may import besides itself; src imports nothing of them. */
export const TREE_MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  src: [],
  harness: ['src'],
  bench: ['src', 'harness'],
  proof: ['src', 'harness', 'bench'],
  test: ['src', 'harness', 'bench', 'proof'],
}

export const mayImport = (layer: string): readonly string[] => {
  const allowed = MAY_IMPORT[layer] ?? []
  const layers = Object.keys(MAY_IMPORT)
  return allowed.includes('every row above') ? layers.slice(0, layers.indexOf(layer)) : allowed
}
