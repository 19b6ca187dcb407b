/** A request that is made once. */
type Request = {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

export type Received = {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

export type Attempt =
  | { readonly received: Received; readonly fault?: undefined }
  /** Nothing came, or not all of it: whether the request arrived is not known. */
  | { readonly received?: undefined; readonly fault: unknown }

/** Throws only when the caller gave up, and then what the caller's signal says. */
export async function attemptOnce(request: Request): Promise<Attempt> {
  const { method, url, headers, body, timeoutMs, signal } = request
  signal?.throwIfAborted()
  const deadline = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      // Followed, a redirect would take the token to another place.
      redirect: 'manual',
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    })
    const bytes = new Uint8Array(await response.arrayBuffer())
    return { received: { status: response.status, headers: response.headers, bytes } }
  } catch (fault) {
    signal?.throwIfAborted()
    return { fault }
  }
}
