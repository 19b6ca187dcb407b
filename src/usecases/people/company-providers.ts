/**
 * Providers with which people of a merchant sign in: OpenID Connect, code flow with PKCE. The library
 * is loaded when somebody comes this way.
 */
import type { Configuration } from 'openid-client'
import { UPKEEP } from '../../domain/upkeep-timing.ts'

export type Company = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** What this side keeps until the person comes back. */
export type Underway = {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export type CompanyProviders = {
  /** Where to send the person; throws where the provider cannot be reached. */
  begin(
    company: Company,
    way: { readonly redirectUri: string; readonly isAgain: boolean },
  ): Promise<{ readonly location: string; readonly underway: Underway }>
  /** Who came back, by an e-mail that the provider verified; throws where it is not a good answer. */
  finish(company: Company, answer: URL, underway: Underway): Promise<string | undefined>
}

type Options = { readonly allowsHttp: boolean; readonly realNow: () => number }

export function createCompanyProviders({ allowsHttp, realNow }: Options): CompanyProviders {
  const known = new Map<string, { readonly config: Configuration; readonly at: number }>()

  const configOf = async (company: Company): Promise<Configuration> => {
    const name = JSON.stringify(company)
    const kept = known.get(name)
    const isFresh = kept !== undefined && realNow() - kept.at < UPKEEP.companyProviderKnownMs
    if (isFresh) return kept.config
    const library = await import('openid-client')
    const { clientSecret } = company
    const config = await library.discovery(
      new URL(company.issuer),
      company.clientId,
      undefined,
      (server, ...rest) => {
        const isPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
        const authenticate = isPost === true ? library.ClientSecretPost : library.ClientSecretBasic
        authenticate(clientSecret)(server, ...rest)
      },
      {
        timeout: UPKEEP.companyProviderSeconds,
        ...(allowsHttp ? { execute: [library.allowInsecureRequests] } : {}),
      },
    )
    library.enableNonRepudiationChecks(config)
    known.set(name, { config, at: realNow() })
    return config
  }

  return {
    begin: async (company, { redirectUri, isAgain }) => {
      const config = await configOf(company)
      const library = await import('openid-client')
      const verifier = library.randomPKCECodeVerifier()
      const state = library.randomState()
      const nonce = library.randomNonce()
      const location = library.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: 'openid email',
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        ...(isAgain ? { prompt: 'login' } : {}),
      })
      return { location: location.href, underway: { state, nonce, verifier } }
    },
    finish: async (company, answer, { state, nonce, verifier }) => {
      const config = await configOf(company)
      const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
      const tokens = await authorizationCodeGrant(config, answer, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) return undefined
      if (claims.email !== undefined) return verifiedEmail({ ...claims })
      return verifiedEmail({ ...(await fetchUserInfo(config, tokens.access_token, claims.sub)) })
    },
  }
}

/** Some providers write the truth value as text. */
function verifiedEmail(claims: Readonly<Record<string, unknown>>): string | undefined {
  const { email, email_verified: isVerified } = claims
  const isGood = isVerified === true || String(isVerified) === 'true'
  return isGood && typeof email === 'string' ? email.trim().toLowerCase() : undefined
}
