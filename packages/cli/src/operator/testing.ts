import { TestingStatus } from '@guildhall/protocol'
import type { Desk, RunDecision, TestingRequest, TestingWorker } from '@guildhall/server/desk'
import type { Format } from '../json-option.ts'
import { PlainError } from '../plain-error.ts'
import { printable } from '../printable.ts'
import { atDesk } from './at-desk.ts'
import { limitFrom } from './limit-from.ts'

type ListOptions = Format & { readonly status?: string; readonly limit: string }

const MOST_AT_ONCE = 500
const PATIENCE_MS = 10_000
const LOOK_EVERY_MS = 200

export const listTesting = ({ status, limit, json = false }: ListOptions): Promise<void> =>
  atDesk(async (desk) => {
    const filter = { status: statusFrom(status), before: null, limit: limitFrom(limit, MOST_AT_ONCE) }
    const requests = await desk.testing.list(filter)
    for (const request of requests) console.log(json ? JSON.stringify(request) : lineOf(request))
    if (requests.length === 0 && !json) console.log('There are no such requests.')
  })

export const showTesting = (id: string, { json = false }: Format): Promise<void> =>
  atDesk(async (desk) => {
    const file = await desk.testing.show(id)
    if (file === null) throw new PlainError(`There is no testing request ${printable(id)}.`)
    if (json) return console.log(JSON.stringify(file))
    console.log(lineOf(file.request))
    for (const [name, value] of Object.entries(file.request.scope)) console.log(field(name, value))
    if (file.request.trouble !== null) console.log(field('trouble', file.request.trouble))
    for (const { run, attempt, taskId, taskStatus, claimedBy, outcome, trouble } of file.runs) {
      const who = claimedBy === null ? '' : `  ${claimedBy}`
      const snag = trouble === null ? '' : `  ${printable(trouble)}`
      console.log(`  run ${run}.${attempt}  ${taskId}  ${outcome ?? taskStatus}${who}${snag}`)
    }
  })

/** The nodes post the runs; waits briefly to see that they do. */
export const approveTesting = (id: string, { json = false }: Format): Promise<void> =>
  atDesk(async (desk) => {
    await desk.testing.approve(id)
    const request = await settled(
      async () => (await desk.testing.show(id))?.request ?? null,
      (now) => now === null || now.status !== 'approved' || now.trouble !== null,
    )
    if (json) return console.log(JSON.stringify(request))
    console.log(request?.status === 'running' ? `${id} is running: its tasks are posted.` : waiting(id, request))
  })

const waiting = (id: string, request: TestingRequest | null): string =>
  request?.trouble
    ? `${id} is approved, but not posted yet: ${request.trouble}. The nodes try again every minute.`
    : `${id} is approved; the nodes will post its tasks.`

export const rejectTesting = (id: string, note: string, { json = false }: Format): Promise<void> =>
  atDesk(async (desk) => {
    const request = await desk.testing.reject(id, note)
    console.log(json ? JSON.stringify(request) : `${id} is rejected.`)
  })

/** Stores the decision and waits briefly until a node has carried it out, or says why it cannot. */
export const decideOnRun = (
  taskId: string,
  decision: RunDecision,
  note: string | null,
  { json = false }: Format,
): Promise<void> =>
  atDesk(async (desk) => {
    await desk.testing.decide(taskId, decision, note)
    const run = await settled(
      () => desk.testing.run(taskId),
      (now) => now === null || now.decision === null,
    )
    if (json) console.log(JSON.stringify(run))
    if (run?.trouble) throw new PlainError(`Not done: ${run.trouble}`)
    if (!json) console.log(run?.decision ? `${decision} waits for a running node.` : `${decision}: done.`)
  })

/** A worker's delivery, unchanged. */
export const showDelivery = (taskId: string): Promise<void> =>
  atDesk(async (desk) => {
    const delivery = await desk.testing.delivery(taskId)
    if (delivery === null) throw new PlainError('Nothing has been delivered on this task.')
    console.log(printable(JSON.stringify(JSON.parse(delivery), null, 2)))
  })

export const listWorkers = ({ limit, json = false }: Format & { readonly limit: string }): Promise<void> =>
  atDesk(async (desk) => {
    const workers = await desk.testing.workers(limitFrom(limit, MOST_AT_ONCE))
    for (const worker of workers) console.log(json ? JSON.stringify(worker) : workerLine(worker))
    if (workers.length === 0 && !json) console.log('Nobody has worked on a test yet.')
  })

type WorkerChange = (desk: Desk) => Promise<TestingWorker>

export const changeWorker = (change: WorkerChange, { json = false }: Format): Promise<void> =>
  atDesk(async (desk) => {
    const worker = await change(desk)
    console.log(json ? JSON.stringify(worker) : workerLine(worker))
  })

function workerLine({ agentId, allowListed, suspendedFor, expiresAt }: TestingWorker): string {
  const standing = suspendedFor === null ? `eligible until ${new Date(expiresAt).toISOString()}` : 'suspended'
  const why = suspendedFor === null ? '' : `: ${printable(suspendedFor)}`
  return `${agentId}  ${standing}${why}${allowListed ? '  allow-listed' : ''}`
}

const lineOf = ({ id, status, email, createdAt, scope }: TestingRequest): string =>
  `${id}  ${new Date(createdAt).toISOString()}  ${status}  ${printable(email)}  ${printable(scope.product_name)}`

const field = (name: string, value: unknown): string =>
  `  ${name.padEnd(20)}${printable(typeof value === 'string' ? value : JSON.stringify(value))}`

function statusFrom(text: string | undefined): TestingStatus | null {
  if (text === undefined) return null
  const status = TestingStatus.safeParse(text)
  if (status.success) return status.data
  throw new PlainError(`${printable(text)} is not one of ${TestingStatus.options.join(', ')}.`)
}

/** Polls until it is as wanted, or for PATIENCE_MS. */
async function settled<T>(look: () => Promise<T>, enough: (seen: T) => boolean): Promise<T> {
  const until = Date.now() + PATIENCE_MS
  for (;;) {
    const seen = await look()
    if (enough(seen) || Date.now() >= until) return seen
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
