import type { Command } from 'commander'
import { DEFAULT_URL } from '../default-url.ts'
import { run } from '../run.ts'
import { linkIdentity, showIdentity, unlinkIdentity } from './identity.ts'
import { linkOwner, unlinkOwner } from './owner.ts'

type Options = { readonly url: string; readonly json?: boolean; readonly wait?: boolean }

const url = ['--url <url>', 'where the service is', process.env.GUILDHALL_URL || DEFAULT_URL] as const
const json = ['--json', 'answer in JSON'] as const

/** Commands of an agent; GUILDHALL_AGENT_KEY is its key. */
export function addAgentCommands(program: Command): void {
  const agent = program
    .command('agent')
    .description('what an agent does for itself, with its key in GUILDHALL_AGENT_KEY')
  agent
    .command('link')
    .description('link the agent to the person who was shown this code in the console')
    .argument('<code>')
    .option(...url)
    .option(...json)
    .action((code: string, options: Options) => run(() => linkOwner(code, options)))
  agent
    .command('unlink')
    .description('end the link to the owner')
    .option(...url)
    .option(...json)
    .action((options: Options) => run(() => unlinkOwner(options)))
  const identity = agent.command('identity').description('the person who stands behind the agent')
  identity
    .command('link')
    .description('get an address for that person’s browser, where they sign in and consent')
    .option('--wait', 'wait until they have decided')
    .option(...url)
    .option(...json)
    .action((options: Options) => run(() => linkIdentity(options)))
  identity
    .command('status')
    .description('who stands behind an agent')
    .argument('[agent]', 'an agent id, or a name; without one, oneself')
    .option(...url)
    .option(...json)
    .action((idOrName: string | undefined, options: Options) => run(() => showIdentity(idOrName, options)))
  identity
    .command('unlink')
    .description('nobody stands behind the agent any more')
    .option(...url)
    .option(...json)
    .action((options: Options) => run(() => unlinkIdentity(options)))
}
