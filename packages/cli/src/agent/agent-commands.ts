import type { Command } from 'commander'
import { jsonOption } from '../json-option.ts'
import { pathArgument } from '../path-argument.ts'
import { run } from '../run.ts'
import { urlOption } from '../url-option.ts'
import { linkIdentity, showIdentity, unlinkIdentity } from './identity.ts'
import { linkOwner, unlinkOwner } from './owner.ts'

type Options = { readonly url: string; readonly json?: boolean; readonly wait?: boolean }

/** Commands of an agent; GUILDHALL_AGENT_KEY is its key. */
export function addAgentCommands(program: Command): void {
  const agent = program
    .command('agent')
    .description('what an agent can do for itself; its key is in GUILDHALL_AGENT_KEY')
  agent
    .command('link')
    .description('link the agent to the person who was shown this code in the console')
    .argument('<code>')
    .option(...urlOption)
    .option(...jsonOption)
    .action((code: string, options: Options) => run(() => linkOwner(code, options)))
  agent
    .command('unlink')
    .description('end the link to the owner')
    .option(...urlOption)
    .option(...jsonOption)
    .action((options: Options) => run(() => unlinkOwner(options)))
  const identity = agent.command('identity').description('the person behind an agent')
  identity
    .command('link')
    .description('get an address for that person’s browser, where they sign in and consent')
    .option('--wait', 'wait until they have decided')
    .option(...urlOption)
    .option(...jsonOption)
    .action((options: Options) => run(() => linkIdentity(options)))
  identity
    .command('status')
    .description('show the person behind an agent')
    .argument('[agent]', 'an agent id or name; by default your own', pathArgument)
    .option(...urlOption)
    .option(...jsonOption)
    .action((idOrName: string | undefined, options: Options) => run(() => showIdentity(idOrName, options)))
  identity
    .command('unlink')
    .description('end the link to the person')
    .option(...urlOption)
    .option(...jsonOption)
    .action((options: Options) => run(() => unlinkIdentity(options)))
}
