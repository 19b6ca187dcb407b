import { may, type Permission, type Role } from '../../domain/people/roles.ts'

/** The pages of the menu, in order; each is at `/dashboard/<name>`, and its word has that name. */
const MENU = {
  payments: {
    deposits: 'payments:view',
    payouts: 'payments:view',
    refunds: 'payments:view',
    remittances: 'payments:view',
    'split-payments': 'payments:view',
    checkouts: 'payments:view',
  },
  money: {
    balances: 'money:view',
    statements: 'money:view',
    exports: 'money:view',
    'bulk-payouts': 'bulk:create',
    links: 'links:create',
  },
  developers: {
    callbacks: 'callbacks:view',
    requests: 'requests:view',
    tokens: 'developers:manage',
    'callback-urls': 'developers:manage',
    signatures: 'developers:manage',
  },
  company: {
    providers: 'anyone',
    team: 'team:manage',
    audit: 'audit:view',
    branding: 'branding:manage',
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Permission | 'anyone'>>>>

type MenuGroup = keyof typeof MENU
type NamesOf<Group> = Group extends unknown ? keyof Group : never
export type MenuName = NamesOf<(typeof MENU)[MenuGroup]>

type MenuPart = { readonly group: MenuGroup; readonly names: readonly MenuName[] }

/** What a role sees; groups without a page are left out. */
export const menuFor = (role: Role): readonly MenuPart[] =>
  Object.entries(MENU)
    .map(([group, pages]) => ({
      group: group as MenuGroup,
      names: Object.entries(pages as Readonly<Record<string, Permission | 'anyone'>>)
        .filter(([, permission]) => permission === 'anyone' || may(role, permission))
        .map(([name]) => name as MenuName),
    }))
    .filter(({ names }) => names.length > 0)
