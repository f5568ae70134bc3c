import type { Command } from 'commander'
import { run } from '../run.ts'
import { type ListOptions, listFeedback, markFeedback } from './feedback.ts'

export function addFeedbackCommands(program: Command): void {
  const feedback = program.command('feedback').description('feedback that users have sent')
  feedback
    .command('list')
    .description('list it, newest first')
    .option('--status <status>', 'received, in_review, resolved or declined')
    .option('--limit <number>', 'at most this many', '20')
    .option('--before <id>', 'only what is older than this one')
    .option('--json', 'answer in JSON, one report per line')
    .action((options: ListOptions) => run(() => listFeedback(options)))
  feedback
    .command('mark <id> <status>')
    .description('set the status of a report: in_review, resolved, declined or received')
    .option('--note <text>', 'why, or by which change')
    .action((id: string, status: string, options: { note?: string }) => run(() => markFeedback(id, status, options)))
}
