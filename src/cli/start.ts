import { banner, bannerJson } from '../node/banner.ts'
import { readConfig } from '../node/config.ts'
import { start } from '../node/start.ts'
import type { Command } from './command-kit.ts'

export const START_COMMAND: Command = {
  name: 'start',
  summary: 'Start a node: HTTP server and workers, with the embedded database by default',
  options: {},
  run: async ({ json }) => {
    await start(readConfig(process.env), json ? bannerJson : banner)
    return 0
  },
}
