import type { Command } from 'commander'
import { run } from '../run.ts'
import { reinstateAgent, type StatusOptions, suspendAgent, vouchForAgent } from './agents.ts'
import { showInbox } from './inbox.ts'
import { compareLedger } from './ledger.ts'
import { pausePayouts, redirectPayout, resumePayouts, showPayouts } from './payouts.ts'
import { coverLoss, listStrays, returnStray } from './suspense.ts'
import { addTestingCommands } from './testing-commands.ts'

const json = ['--json', 'answer in JSON'] as const
type Format = { readonly json?: boolean }

/** Commands of an operator, on the database at DATABASE_URL. */
export function addOperatorCommands(program: Command): void {
  program
    .command('inbox')
    .description('what waits for you, the most urgent first, each with the command that deals with it')
    .option('--limit <number>', 'at most so many of each kind', '20')
    .option('--json', 'one a line')
    .action((options: { limit: string; json?: boolean }) => run(() => showInbox(options)))

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
  payouts
    .command('redirect')
    .description('a release that waits goes to the wallet that its deliverer has proven since')
    .argument('<id>', 'tr_…, as in the inbox')
    .action((id: string) => run(() => redirectPayout(id)))

  const suspense = program.command('suspense').description('money that came to the escrow wallets unasked')
  suspense
    .command('list')
    .description('what nobody has sent back yet, newest first')
    .option('--all', 'also what is on its way back, or back')
    .option('--limit <number>', 'at most so many', '50')
    .option('--json', 'one a line')
    .action((options: { all?: boolean; limit: string; json?: boolean }) => run(() => listStrays(options)))
  suspense
    .command('return')
    .description('send it back to whoever sent it; the nodes carry it out, once')
    .argument('<id>')
    .option('--to <address>', 'send it there instead')
    .action((id: string, options: { to?: string }) => run(() => returnStray(id, options)))
  suspense
    .command('cover')
    .description('let it take the place of money that is missing from the wallet')
    .argument('<id>')
    .action((id: string) => run(() => coverLoss(id)))

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

  program
    .command('ledger')
    .description('the ledger in the database')
    .command('compare')
    .description('whether a restored copy has everything that the nodes have sealed; exit code 6 when it does not')
    .argument('<data directories...>', 'GUILDHALL_DATA_DIR of every node')
    .action((directories: readonly string[]) => run(() => compareLedger(directories)))

  addTestingCommands(program)
}
