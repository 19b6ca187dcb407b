/** What people of a merchant may do. A page or a change names the permission that it needs. */
export const PERMISSIONS = [
  'payments:view',
  'payments:refund',
  'pii:reveal',
  'money:view',
  'bulk:create',
  'payouts:approve',
  'callbacks:view',
  'developers:manage',
  'requests:view',
  'team:manage',
  'security:manage',
  'audit:view',
  'branding:manage',
  'links:create',
] as const
export type Permission = (typeof PERMISSIONS)[number]

export const ROLES = ['owner', 'admin', 'finance', 'operations', 'developer', 'support'] as const
export type Role = (typeof ROLES)[number]

export const STAFF_ROLES = [
  'staff-admin',
  'staff-operations',
  'staff-finance',
  'staff-support',
  'staff-auditor',
] as const

export const isRole = (text: string): text is Role => ROLES.some((role) => role === text)

/** Which permissions each role has; owners have all. */
const GRANTED: Readonly<Record<Permission, readonly Role[]>> = {
  'payments:view': ['admin', 'finance', 'operations', 'developer', 'support'],
  'payments:refund': ['admin', 'finance', 'operations'],
  'pii:reveal': ['admin', 'finance', 'support'],
  'money:view': ['admin', 'finance'],
  'bulk:create': ['admin', 'finance', 'operations'],
  'payouts:approve': ['admin', 'finance'],
  'callbacks:view': ['admin', 'operations', 'developer', 'support'],
  'developers:manage': ['admin', 'developer'],
  'requests:view': ['admin', 'operations', 'developer', 'support'],
  'team:manage': ['admin'],
  'security:manage': [],
  'audit:view': ['admin'],
  'branding:manage': ['admin'],
  'links:create': ['admin', 'finance', 'operations', 'support'],
}

export const may = (role: Role, permission: Permission): boolean =>
  role === 'owner' || GRANTED[permission].includes(role)

/** People grant only what they hold themselves. */
export const mayGrant = (granter: Role, role: Role): boolean =>
  PERMISSIONS.every((permission) => !may(role, permission) || may(granter, permission))

/** No countries means all of them. */
export const mayGrantCountries = (held: readonly string[], given: readonly string[]): boolean =>
  held.length === 0 || (given.length > 0 && given.every((country) => held.includes(country)))
