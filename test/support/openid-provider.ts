/** A small OpenID Connect provider: discovery, authorization, token and keys (code flow, PKCE). */
import { createHash, createSign, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { rsaPair } from '../../harness/rsa-pair.ts'

type OpenIdProvider = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** What the next tokens say; it may be changed at any time. */
  claims: Readonly<Record<string, unknown>>
  /** Takes the place of the signature of the next tokens. */
  forge: ((token: string) => string) | undefined
  /** How people were sent here, newest last. */
  readonly asked: readonly URLSearchParams[]
  close(): Promise<void>
}

type Grant = { readonly challenge: string; readonly nonce: string; readonly redirectUri: string }

export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const { privateKey, publicKey } = rsaPair(2048, 'OpenID')
  const grants = new Map<string, Grant>()
  const asked: URLSearchParams[] = []
  const clientId = 'malipo'
  const clientSecret = 'secretOfTheClient'

  const token = (grant: Grant): string => {
    const now = Math.floor(Date.now() / 1000)
    const facts = { iss: provider.issuer, aud: clientId, sub: 'someone', iat: now, exp: now + 60 }
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const head = part({ alg: 'RS256', kid: 'one', typ: 'JWT' })
    const signed = `${head}.${part({ ...facts, nonce: grant.nonce, ...provider.claims })}`
    const signature = createSign('RSA-SHA256').update(signed).sign(privateKey, 'base64url')
    const whole = `${signed}.${signature}`
    return provider.forge?.(whole) ?? whole
  }

  const answers: Readonly<Record<string, (request: IncomingMessage, url: URL) => Promise<Answer>>> =
    {
      '/.well-known/openid-configuration': async () => ({
        json: {
          issuer: provider.issuer,
          authorization_endpoint: `${provider.issuer}/authorize`,
          token_endpoint: `${provider.issuer}/token`,
          jwks_uri: `${provider.issuer}/keys`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
          code_challenge_methods_supported: ['S256'],
        },
      }),
      '/keys': async () => ({
        json: {
          keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }],
        },
      }),
      '/authorize': async (_request, { searchParams: query }) => {
        asked.push(query)
        const code = randomBytes(12).toString('base64url')
        const redirectUri = query.get('redirect_uri') ?? ''
        grants.set(code, {
          challenge: query.get('code_challenge') ?? '',
          nonce: query.get('nonce') ?? '',
          redirectUri,
        })
        const back = new URL(redirectUri)
        back.search = new URLSearchParams({ code, state: query.get('state') ?? '' }).toString()
        return { location: back.href }
      },
      '/token': async (request) => {
        const form = new URLSearchParams(await text(request))
        const grant = grants.get(form.get('code') ?? '')
        grants.delete(form.get('code') ?? '')
        const verifier = form.get('code_verifier') ?? ''
        const isRight =
          request.headers.authorization === basic(clientId, clientSecret) &&
          grant?.redirectUri === form.get('redirect_uri') &&
          createHash('sha256').update(verifier).digest('base64url') === grant?.challenge
        if (!isRight || grant === undefined)
          return { status: 400, json: { error: 'invalid_grant' } }
        return {
          json: { access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: token(grant) },
        }
      },
    }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', provider.issuer)
    const answer = await answers[url.pathname]?.(request, url)
    send(response, answer ?? { status: 404, json: {} })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const provider: OpenIdProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId,
    clientSecret,
    claims: {},
    forge: undefined,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return provider
}

type Answer = { readonly status?: number; readonly json?: object; readonly location?: string }

function send(response: ServerResponse, { status = 200, json, location }: Answer): void {
  if (location !== undefined) response.writeHead(302, { location }).end()
  else response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
}

const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
