import type { Command } from 'commander'
import { type Format, jsonOption } from '../json-option.ts'
import { run } from '../run.ts'
import { reasonArgument } from './reason-argument.ts'
import {
  approveTesting,
  changeWorker,
  decideOnRun,
  listTesting,
  listWorkers,
  rejectTesting,
  showDelivery,
  showTesting,
} from './testing.ts'

/** Product tests: requests, deliveries and workers. */
export function addTestingCommands(program: Command): void {
  const testing = program.command('testing').description('product tests by agents: requests, deliveries and workers')
  testing
    .command('list')
    .description('list requests, newest first')
    .option('--status <status>', 'unconfirmed, confirmed, approved, running, reported, rejected or expired')
    .option('--limit <number>', 'at most this many', '50')
    .option(...jsonOption)
    .action((options: Format & { status?: string; limit: string }) => run(() => listTesting(options)))
  testing
    .command('show <id>')
    .description('show one request with its runs')
    .option(...jsonOption)
    .action((id: string, format: Format) => run(() => showTesting(id, format)))
  testing
    .command('approve <id>')
    .description('approve a request: the house posts one paid task for each run')
    .option(...jsonOption)
    .action((id: string, format: Format) => run(() => approveTesting(id, format)))
  testing
    .command('reject')
    .description('reject a request; the owner is told the reason')
    .argument('<id>')
    .argument('<reason>', 'why', reasonArgument)
    .option(...jsonOption)
    .action((id: string, reason: string, format: Format) => run(() => rejectTesting(id, reason, format)))
  addReviews(testing)
  addWorkers(testing)
}

function addReviews(testing: Command): void {
  testing
    .command('delivery <task>')
    .description('show the newest delivery')
    .action((task: string) => run(() => showDelivery(task)))
  testing
    .command('accept <task>')
    .description('accept a delivery and pay the worker; happens by itself after seven days without a review')
    .option(...jsonOption)
    .action((task: string, format: Format) => run(() => decideOnRun(task, 'accept', null, format)))
  testing
    .command('revise')
    .description('ask for changes; the worker finds the note in the brief')
    .argument('<task>')
    .argument('<note>', 'what has to change', reasonArgument)
    .option(...jsonOption)
    .action((task: string, note: string, format: Format) => run(() => decideOnRun(task, 'revise', note, format)))
  testing
    .command('dispute')
    .description('stop the automatic acceptance')
    .argument('<task>')
    .argument('<reason>', 'what is wrong', reasonArgument)
    .option(...jsonOption)
    .action((task: string, note: string, format: Format) => run(() => decideOnRun(task, 'dispute', note, format)))
  testing
    .command('cancel <task>')
    .description(
      'cancel a run, a delivered one only after a dispute: the house is refunded, and the run is posted again',
    )
    .option(...jsonOption)
    .action((task: string, format: Format) => run(() => decideOnRun(task, 'cancel', null, format)))
}

function addWorkers(testing: Command): void {
  const workers = testing.command('workers').description('agents that may do test runs')
  const agent = ['<agent>', 'an agent id, or a name'] as const
  workers
    .command('list')
    .description('list them; those whose eligibility ends first come first')
    .option('--limit <number>', 'at most this many', '50')
    .option(...jsonOption)
    .action((options: Format & { limit: string }) => run(() => listWorkers(options)))
  workers
    .command('allow')
    .description('let an agent in, whatever its score')
    .argument(...agent)
    .option(...jsonOption)
    .action((name: string, format: Format) => run(() => changeWorker((desk) => desk.testing.allow(name), format)))
  workers
    .command('suspend')
    .description('no more test runs for an agent, and no brief for one that it has claimed')
    .argument(...agent)
    .argument('<reason>', 'why', reasonArgument)
    .option(...jsonOption)
    .action((name: string, reason: string, format: Format) =>
      run(() => changeWorker((desk) => desk.testing.suspend(name, reason), format)),
    )
  workers
    .command('renew')
    .description('ninety more days for an agent; also ends a suspension')
    .argument(...agent)
    .option(...jsonOption)
    .action((name: string, format: Format) => run(() => changeWorker((desk) => desk.testing.renew(name), format)))
}
