import type { Predict } from '../domain/payments/prediction.ts'
import type { Provider } from '../domain/provider.ts'
import type { Catalog } from './catalog.ts'
import type { Connector } from './connector.ts'

/** Which provider is reached through which connector. */
export type Registry = {
  readonly catalog: Catalog
  find(code: string): Provider | undefined
  connectorOf(provider: string): Connector | undefined
  /** Without any operator within reach, no payment can be accepted. */
  readonly hasOperator: boolean
  /** Which provider of the catalogue a number most likely belongs to. */
  readonly predict: Predict
  /** Whether numbers of the sandbox are taken that no number plan has. */
  readonly withTestNumbers: boolean
}

export function createRegistry({
  catalog,
  predict,
  withTestNumbers,
  connectorOf,
}: Pick<Registry, 'catalog' | 'predict' | 'withTestNumbers'> & {
  readonly connectorOf: (provider: Provider) => Connector | undefined
}): Registry {
  const connectors = new Map(catalog.all.map((one) => [one.code, connectorOf(one)]))
  return {
    catalog,
    // What no connector reaches must not be accepted: it could never be finished.
    find: (code) => (connectors.get(code) === undefined ? undefined : catalog.find(code)),
    connectorOf: (code) => connectors.get(code),
    hasOperator: [...connectors.values()].some((one) => one !== undefined),
    predict,
    withTestNumbers,
  }
}
