import type { Command } from 'commander'
import { run } from '../run.ts'
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
}
