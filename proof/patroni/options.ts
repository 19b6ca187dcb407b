import { helpOf } from '../proofs.ts'
import { readOptions } from '../support/options.ts'

export const readPatroniOptions = () =>
  readOptions(helpOf('patroni'), {
    numbers: { faults: 8, within: 60, seed: Math.floor(Math.random() * 2 ** 31) },
    switches: ['asynchronous', 'etcd3'],
    texts: ['only'],
  })
