import { VERSION } from '../../package-root.ts'
import { type Command, CommandProblem, environmentToken, textOf } from '../command-kit.ts'
import { SERVICE_OPTIONS, serviceClient } from '../service-client.ts'
import { limitOf } from './limit.ts'
import { readTools } from './read-tools.ts'
import { serveTools } from './serve.ts'
import { startPaymentTool } from './start-payment.ts'
import { audited, shownTo, type Tool } from './tool.ts'

export const MCP_COMMAND: Command = {
  name: 'mcp',
  summary: 'Let an agent find and explain payments: a Model Context Protocol server on stdio',
  options: {
    ...SERVICE_OPTIONS,
    'allow-payments': { summary: 'let it start payments as well, up to --limit' },
    limit: {
      value: 'amount',
      also: 'currency',
      summary: 'what it may start in all, such as 500 ZMW; needed with --allow-payments',
    },
    'show-personal': { summary: 'show phone numbers and metadata whole' },
  },
  run: async ({ values }) => {
    const tools = [...readTools(values['show-personal'] === true), ...paymentTools(values)]
    const serviceFor = (tool: string) => {
      const agent = `malipo-mcp/${VERSION} (${tool})`
      return audited(serviceClient(values, environmentToken(), agent), tool)
    }
    await serveTools(tools, serviceFor)
    return 0
  },
}

function paymentTools(values: Readonly<Record<string, unknown>>): readonly Tool[] {
  const limit = textOf(values.limit)
  if (values['allow-payments'] !== true) {
    if (limit === undefined) return []
    throw new CommandProblem('--limit is for payments, which need --allow-payments beside it.')
  }
  if (limit === undefined) {
    throw new CommandProblem(
      '--allow-payments needs a limit: what may be started in all, such as --limit 500 ZMW',
    )
  }
  return [startPaymentTool(limitOf(limit), shownTo(values['show-personal'] === true))]
}
