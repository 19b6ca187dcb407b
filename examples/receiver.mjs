// A receiver of callbacks: verifies each one, and answers 200 once it is safe with us.
//   npm install malipo && node receiver.mjs
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { createCallbackVerifier } from 'malipo/receiver'

const { MALIPO_URL = 'http://127.0.0.1:8080', PORT = '3000' } = process.env
const say = (line) => process.stdout.write(`${line}\n`)
const verify = createCallbackVerifier({ service: MALIPO_URL })

createServer(async (request, response) => {
  const { method = '', url: path = '', headers } = request
  const body = await buffer(request)
  const verdict = await verify({ method, path, headers, body })
  if (!verdict.ok) {
    say(`refused: ${verdict.reason}`)
    response.writeHead(401).end(verdict.reason)
    return
  }
  const callback = JSON.parse(body.toString('utf8'))
  // The same callback may come more than once: store it under its identifier before you answer.
  say(`verified with ${verdict.keyId}: ${JSON.stringify(callback)}`)
  response.writeHead(200).end()
}).listen(Number(PORT), '127.0.0.1', function () {
  say(`listening on http://127.0.0.1:${this.address().port}`)
})
