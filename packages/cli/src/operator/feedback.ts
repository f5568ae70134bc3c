import { FeedbackStatus } from '@guildhall/protocol'
import { createLog, createPostgresStore, type Feedback } from '@guildhall/server/desk'
import { PlainError } from '../plain-error.ts'
import { printable } from '../printable.ts'
import { explained, operatedDatabase } from './at-desk.ts'
import { limitFrom } from './limit-from.ts'

export type ListOptions = {
  readonly status?: string
  readonly limit: string
  readonly before?: string
  readonly json?: boolean
}

const MOST_AT_ONCE = 500

export async function listFeedback({ status, limit, before, json = false }: ListOptions): Promise<void> {
  const filter = {
    status: status === undefined ? null : statusFrom(status),
    before: before ?? null,
    limit: limitFrom(limit, MOST_AT_ONCE),
  }
  const reports = await withStore((store) => store.listFeedback(filter))
  if (json) for (const report of reports) console.log(JSON.stringify(report))
  else console.log(reports.length === 0 ? 'There are no such reports.' : reports.map(written).join('\n\n'))
}

export async function markFeedback(id: string, status: string, { note }: { readonly note?: string }): Promise<void> {
  const wanted = statusFrom(status)
  const found = await withStore((store, now) =>
    store.transaction((tx) => tx.markFeedback(id, wanted, note ?? null, now)),
  )
  if (!found) throw new PlainError(`There is no report ${id}.`)
  console.log(`${id} is ${wanted}.`)
}

function statusFrom(text: string): FeedbackStatus {
  const status = FeedbackStatus.safeParse(text)
  if (status.success) return status.data
  throw new PlainError(`${printable(text)} is not one of ${FeedbackStatus.options.join(', ')}.`)
}

type Store = ReturnType<typeof createPostgresStore>

async function withStore<T>(work: (store: Store, now: number) => Promise<T>): Promise<T> {
  const { url: databaseUrl, offsetMs } = await operatedDatabase()
  const store = createPostgresStore({ databaseUrl, log: createLog('warn'), maxConnections: 1 })
  try {
    return await work(store, Date.now() + offsetMs)
  } catch (error) {
    throw await explained(error, store)
  } finally {
    await store.close()
  }
}

function written(report: Feedback): string {
  const rows: readonly (readonly [string, string | null])[] = [
    ['from', report.agentId ?? 'nobody in particular'],
    ['task', report.taskId],
    ['environment', report.environment],
    ['expected', report.expectedBehavior],
    ['actual', report.actualBehavior],
    ['steps', report.stepsToReproduce],
    ['error codes', report.errorCodes.join(', ') || null],
    ['request ids', report.requestIds.join(', ') || null],
    ['suggestion', report.suggestedImprovement],
    [
      'versions',
      [`skill ${report.skillVersion}`, ...(report.cliVersion ? [`cli ${report.cliVersion}`] : [])].join(', '),
    ],
    ['note', report.note],
  ]
  const head = `${report.id}  ${new Date(report.createdAt).toISOString()}  ${report.status}`
  return [head, ...rows.flatMap(([name, text]) => (text === null ? [] : [line(name, text)]))].join('\n')
}

const INDENT = 14

const line = (name: string, text: string): string =>
  `  ${name.padEnd(INDENT - 2)}${printable(text).replaceAll('\n', `\n${' '.repeat(INDENT)}`)}`
