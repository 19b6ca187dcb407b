import { customersOf } from '../../harness/customers.ts'
import { checkoutBody, FAILS, form, PAYS } from '../../harness/hosted.ts'
import { boot } from '../../src/node/boot.ts'
import { readConfig } from '../../src/node/config.ts'
import { openDatabase } from '../../src/store/engine/database.ts'

/**
 * A node with customers inside: they pay, fail, try again and cancel on checkouts of their own,
 * until the process is killed. Each line that it prints is a checkout on which Pay was pressed.
 */
const config = readConfig(process.env)
const database = openDatabase({ connectionString: config.databaseUrl ?? '' }, 8)
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const node = await boot(config, database, quiet)
const hosted = customersOf(node.hosted)

async function customer(number: number): Promise<never> {
  for (let turn = number; ; turn += 1) {
    const response = await fetch(`${node.url}/v2/checkouts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${node.token}` },
      body: JSON.stringify(checkoutBody()),
    })
    const { checkoutCode, checkoutId } = (await response.json()) as Record<string, string>
    if (checkoutCode === undefined) continue
    // Some think better of it before they pay.
    if (turn % 7 === 3) {
      await hosted.cancelCheckout(checkoutCode)
      continue
    }
    const paid = await hosted.payOnCheckout(checkoutCode, form(turn % 3 === 0 ? PAYS : FAILS))
    if (paid.status === 'STARTED') process.stdout.write(`${checkoutId}\n`)
    if (turn % 2 === 0) {
      const view = await hosted.openCheckout(checkoutCode)
      if (view.screen !== 'UNKNOWN') {
        await hosted.waitForChange({ checkout: checkoutCode }, view.version, 1000)
      }
      // By now the first attempt is over: who cancels does so after a failure.
      if (turn % 5 !== 0) await hosted.payOnCheckout(checkoutCode, form())
    }
    if (turn % 5 === 0) await hosted.cancelCheckout(checkoutCode)
  }
}

await Promise.all(Array.from({ length: 4 }, (_, number) => customer(number)))
