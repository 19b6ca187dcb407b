// A receiver of callbacks: verifies each one, and answers 200 once it is safe with us.
//   npm ci && npm run build
//   MALIPO_URL=https://pay.example CALLBACK_URL=https://shop.example/callbacks node examples/node/receiver.mjs
// In a program of your own, install the file that "npm pack" makes of this checkout:
//   npm install ../malipo/malipo-0.4.0.tgz
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { createCallbackVerifier } from 'malipo/receiver'

const { MALIPO_URL = 'http://127.0.0.1:8080', PORT = '3000' } = process.env
// As set at the service: a signature is for one address.
const { CALLBACK_URL = `http://127.0.0.1:${PORT}/callbacks` } = process.env
const verify = createCallbackVerifier({ service: MALIPO_URL, callbackUrl: CALLBACK_URL })
const say = (line) => process.stdout.write(`${line}\n`)

createServer(async (request, response) => {
  try {
    const { method = '', headers } = request
    const body = await buffer(request)
    const verdict = await verify({ method, headers, body })
    if (!verdict.ok) {
      say(`refused: ${verdict.reason}`)
      response.writeHead(verdict.code === 'NO_KEYS' ? 503 : 401).end(verdict.reason)
      return
    }
    const callback = JSON.parse(body.toString('utf8'))
    // It may come more than once, and about a payment that is not ours: look the identifier up in
    // our own books, and store what it says, before we answer.
    say(`verified with ${verdict.keyId}: ${JSON.stringify(callback)}`)
    response.writeHead(200).end()
  } catch (error) {
    // Somebody who hangs up in the middle must not end the receiver.
    say(`failed: ${error.message}`)
    response.destroy()
  }
}).listen(Number(PORT), '127.0.0.1', () => say(`listening for ${CALLBACK_URL}`))
