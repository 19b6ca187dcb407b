/**
 * API tokens. The text says its environment; only a hash is stored. A scope is a group of
 * operations, `:read` after it leaves out everything that starts or changes something. `pii` shows
 * personal data; it is not part of `*`, so that nobody has it unasked.
 */
export const ENVIRONMENTS = ['sandbox', 'production'] as const
export type Environment = (typeof ENVIRONMENTS)[number]

export const TOKEN_PREFIX: Readonly<Record<Environment, string>> = {
  sandbox: 'mlp_sbx_',
  production: 'mlp_live_',
}

const SCOPE_GROUPS = [
  'deposits',
  'payouts',
  'refunds',
  'remittances',
  'split-payments',
  'checkouts',
  'payment-page',
  'toolkit',
  'finances',
  'callbacks',
  'sandbox',
] as const
export type ScopeGroup = (typeof SCOPE_GROUPS)[number]
export type Access = 'read' | 'write'
export type Scope = '*' | 'pii' | ScopeGroup | `${ScopeGroup}:read`

export const SCOPES: readonly Scope[] = [
  '*',
  ...SCOPE_GROUPS,
  ...SCOPE_GROUPS.map((group) => `${group}:read` as const),
  'pii',
]

export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text)
}

export function permits(scopes: ReadonlySet<Scope>, group: ScopeGroup, access: Access): boolean {
  if (scopes.has('*') || scopes.has(group)) return true
  return access === 'read' && scopes.has(`${group}:read`)
}
