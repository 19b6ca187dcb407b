/** Signing in with the provider of one's company. */
import type { MerchantId } from '../../domain/ids.ts'
import { LIFETIMES } from '../../domain/timing.ts'
import { seal, unseal } from '../../signing/keys.ts'
import {
  type CompanySignIn,
  findCompanySignIn,
  listCompanySignIns,
} from '../../store/people/company-sign-in.ts'
import { findUserByEmail } from '../../store/people/users.ts'
import type { Company, Underway } from './company-providers.ts'
import type { Origin, PeopleContext } from './context.ts'
import { openSession } from './sessions.ts'

export type OfferedCompany = {
  readonly merchantId: MerchantId
  readonly name: string
  /** Where the person is led to. */
  readonly host: string
}

/** By the domain alone, so that nobody learns which people exist. */
export async function companiesFor(
  ctx: PeopleContext,
  domain: string,
): Promise<readonly OfferedCompany[]> {
  const found = await listCompanySignIns(ctx.db, domain.trim().toLowerCase())
  return found.map(({ merchantId, merchantName, issuer }) => ({
    merchantId,
    name: merchantName,
    host: new URL(issuer).host,
  }))
}

const companyOf = (ctx: PeopleContext, settings: CompanySignIn): Company => ({
  issuer: settings.issuer,
  clientId: settings.clientId,
  clientSecret: unseal(ctx.people.secretKey, settings.sealedClientSecret),
})

/** What the browser keeps meanwhile, sealed: it ties the way back to the way there. */
type Kept = Underway & {
  readonly merchantId: MerchantId
  readonly next: string
  readonly at: number
}

type CompanyBegun =
  | { readonly status: 'GO'; readonly location: string; readonly kept: string }
  | { readonly status: 'NOT_THERE' | 'UNREACHABLE' }

export async function beginCompanySignIn(
  ctx: PeopleContext,
  way: {
    readonly merchantId: number
    readonly redirectUri: string
    readonly next: string
    readonly isAgain: boolean
  },
): Promise<CompanyBegun> {
  const { redirectUri, next, isAgain } = way
  const settings = await findCompanySignIn(ctx.db, way.merchantId as MerchantId)
  if (settings === undefined) return { status: 'NOT_THERE' }
  const { companies, secretKey } = ctx.people
  try {
    const company = companyOf(ctx, settings)
    const { location, underway } = await companies.begin(company, { redirectUri, isAgain })
    const { merchantId } = settings
    const kept: Kept = { ...underway, merchantId, next, at: ctx.clock.realNow() }
    const sealed = Buffer.from(seal(secretKey, JSON.stringify(kept))).toString('base64url')
    return { status: 'GO', location, kept: sealed }
  } catch {
    return { status: 'UNREACHABLE' }
  }
}

type CompanyResult =
  | {
      readonly status: 'IN'
      readonly session: string
      readonly device: string
      readonly next: string
    }
  /** `NOT_A_MEMBER`: the provider knows the person, the merchant does not. */
  | { readonly status: 'REFUSED' | 'NOT_A_MEMBER' }

/** `answer`: the address at which the person came back, with what the provider added. */
export async function finishCompanySignIn(
  ctx: PeopleContext,
  kept: string | undefined,
  answer: URL,
  origin: Origin,
): Promise<CompanyResult> {
  const underway = readKept(ctx, kept)
  const settings = underway && (await findCompanySignIn(ctx.db, underway.merchantId))
  if (underway === undefined || settings === undefined) return { status: 'REFUSED' }
  const email = await ctx.people.companies
    .finish(companyOf(ctx, settings), answer, underway)
    .catch(() => undefined)
  if (email === undefined) return { status: 'REFUSED' }
  const user = await findUserByEmail(ctx.db, email)
  if (user === undefined || user.isDisabled || user.isStaff) return { status: 'NOT_A_MEMBER' }
  const kind = { origin, way: 'company', onlyMerchantId: settings.merchantId } as const
  const session = await ctx.db.inTransaction((tx) => openSession(ctx, tx, user, kind))
  if (session === undefined) return { status: 'NOT_A_MEMBER' }
  const device = ctx.people.devices.nameFor(user.email)
  return { status: 'IN', session, device, next: underway.next }
}

function readKept(ctx: PeopleContext, kept: string | undefined): Kept | undefined {
  if (kept === undefined || kept.length > 4096) return undefined
  try {
    const sealed = Buffer.from(kept, 'base64url').toString()
    const found = JSON.parse(unseal(ctx.people.secretKey, sealed)) as Kept
    const isLate = ctx.clock.realNow() - found.at > LIFETIMES.companySignInMs
    return isLate ? undefined : found
  } catch {
    return undefined
  }
}
