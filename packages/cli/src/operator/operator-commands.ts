import type { Command } from 'commander'
import { type Format, jsonOption } from '../json-option.ts'
import { run } from '../run.ts'
import { reinstateAgent, type StatusOptions, suspendAgent, vouchForAgent } from './agents.ts'
import { addFeedbackCommands } from './feedback-commands.ts'
import { showInbox } from './inbox.ts'
import { compareLedger } from './ledger.ts'
import { pausePayouts, redirectPayout, resumePayouts, showPayouts } from './payouts.ts'
import { reasonArgument } from './reason-argument.ts'
import { coverLoss, listStrays, returnStray } from './suspense.ts'
import { addTestingCommands } from './testing-commands.ts'

/** Commands of an operator, on the database at DATABASE_URL. */
export function addOperatorCommands(program: Command): void {
  program
    .command('inbox')
    .description('list what needs an operator, the most urgent first, with the command that deals with it')
    .option('--limit <number>', 'at most this many of each kind', '20')
    .option('--json', 'answer in JSON, one item per line')
    .action((options: { limit: string; json?: boolean }) => run(() => showInbox(options)))

  const payouts = program.command('payouts').description('show, pause, resume and redirect payouts from escrow')
  payouts
    .command('status')
    .description('show whether payouts leave, and how many wait')
    .option(...jsonOption)
    .action((format: Format) => run(() => showPayouts(format)))
  payouts
    .command('pause')
    .description('stop all payouts, on every node within a second; everything else goes on')
    .argument('<reason>', 'shown on the tasks that wait', reasonArgument)
    .option(...jsonOption)
    .action((reason: string, format: Format) => run(() => pausePayouts(reason, format)))
  payouts
    .command('resume')
    .description('let payouts leave again; those that waited leave at once')
    .option(...jsonOption)
    .action((format: Format) => run(() => resumePayouts(format)))
  payouts
    .command('redirect')
    .description('a release that waits goes to the wallet that its deliverer has proven since')
    .argument('<id>', 'tr_…, as in the inbox')
    .action((id: string) => run(() => redirectPayout(id)))

  const suspense = program.command('suspense').description('unrequested money in the escrow wallets')
  suspense
    .command('list')
    .description('list what has not been sent back, newest first')
    .option('--all', 'also what was sent back, or is on its way')
    .option('--limit <number>', 'at most this many', '50')
    .option('--json', 'answer in JSON, one item per line')
    .action((options: { all?: boolean; limit: string; json?: boolean }) => run(() => listStrays(options)))
  suspense
    .command('return')
    .description('send it back to its sender, once; the nodes carry it out')
    .argument('<id>')
    .option('--to <address>', 'send it to this address instead')
    .action((id: string, options: { to?: string }) => run(() => returnStray(id, options)))
  suspense
    .command('cover')
    .description('use it to cover money that is missing from the wallet')
    .argument('<id>')
    .action((id: string) => run(() => coverLoss(id)))

  const agents = program.command('agents').description('suspend, reinstate and vouch for agents')
  const agent = ['<agent>', 'an agent id, or a name'] as const
  const reason = ['--reason <text>', 'why; the agent is told'] as const
  agents
    .command('suspend')
    .description('stop an agent from posting, claiming and verifying')
    .argument(...agent)
    .option(...reason)
    .option(...jsonOption)
    .action((idOrName: string, options: StatusOptions) => run(() => suspendAgent(idOrName, options)))
  agents
    .command('reinstate')
    .description('end a suspension')
    .argument(...agent)
    .option(...reason)
    .option(...jsonOption)
    .action((idOrName: string, options: StatusOptions) => run(() => reinstateAgent(idOrName, options)))
  agents
    .command('vouch')
    .description('have the house pass an agent: trust starts with the agents that it has passed')
    .argument(...agent)
    .option(...jsonOption)
    .action((idOrName: string, format: Format) => run(() => vouchForAgent(idOrName, format)))

  program
    .command('ledger')
    .description('the ledger in the database')
    .command('compare')
    .description('check whether a restored copy has everything that the nodes have sealed; exit code 6 if not')
    .argument('<data directories...>', 'GUILDHALL_DATA_DIR of every node')
    .action((directories: readonly string[]) => run(() => compareLedger(directories)))

  addTestingCommands(program)
  addFeedbackCommands(program)
}
