import type { Command } from 'commander'
import { run } from '../run.ts'
import { reinstateAgent, type StatusOptions, suspendAgent, vouchForAgent } from './agents.ts'
import { pausePayouts, resumePayouts, showPayouts } from './payouts.ts'

const json = ['--json', 'answer in JSON'] as const
type Format = { readonly json?: boolean }

/** What an operator does with the database at hand; DATABASE_URL says where it is. */
export function addOperatorCommands(program: Command): void {
  const payouts = program.command('payouts').description('money that leaves escrow: see it, stop it, let it go on')
  payouts
    .command('status')
    .description('whether payouts leave, and how many wait')
    .option(...json)
    .action((format: Format) => run(() => showPayouts(format)))
  payouts
    .command('pause')
    .description('no payout leaves any node within a second; everything else goes on')
    .argument('<reason>', 'shown on the tasks that wait')
    .option(...json)
    .action((reason: string, format: Format) => run(() => pausePayouts(reason, format)))
  payouts
    .command('resume')
    .description('what waited leaves at once')
    .option(...json)
    .action((format: Format) => run(() => resumePayouts(format)))

  const agents = program
    .command('agents')
    .description('agents of the registry: suspend them, let them back in, vouch for them')
  const agent = ['<agent>', 'an agent id, or a name'] as const
  const reason = ['--reason <text>', 'why; the agent is told'] as const
  agents
    .command('suspend')
    .description('the agent can no longer post, claim or verify')
    .argument(...agent)
    .option(...reason)
    .option(...json)
    .action((idOrName: string, options: StatusOptions) => run(() => suspendAgent(idOrName, options)))
  agents
    .command('reinstate')
    .description('the agent is again what it was before')
    .argument(...agent)
    .option(...reason)
    .option(...json)
    .action((idOrName: string, options: StatusOptions) => run(() => reinstateAgent(idOrName, options)))
  agents
    .command('vouch')
    .description('the house passes the agent: the network’s trust starts with those whom it has passed')
    .argument(...agent)
    .option(...json)
    .action((idOrName: string, format: Format) => run(() => vouchForAgent(idOrName, format)))
}
