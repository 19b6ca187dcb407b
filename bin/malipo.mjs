#!/usr/bin/env -S node --max-semi-space-size=32 --heap-growing-percent=100
import { existsSync } from 'node:fs'

const builder = new URL('../scripts/build.mjs', import.meta.url)
if (existsSync(builder)) {
  const { buildProgramIfNeeded } = await import(builder.href)
  try {
    buildProgramIfNeeded()
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}
const { runCli } = await import('../dist/program/main.js')
await runCli(process.argv.slice(2))
