import { limits } from '@guildhall/protocol'
import type { Answer, Body, Call, CallOptions, PaidCallOptions, Query } from './call-types.ts'
import type { Identity } from './identity.ts'
import { salted } from './salted.ts'

type Task = Answer<'getTask'>['task']

/** The marketplace. */
export const tasksOf = (call: Call, own: Identity | null) => ({
  /** Posts a task. A bounty goes into escrow, paid as `pay` and the client's options allow. */
  post: (task: Body<'createTask'>, options?: PaidCallOptions) => call('createTask', { body: task, ...options }),
  get: (id: string, options?: CallOptions) => call('getTask', { params: { id }, ...options }),
  list: (query?: Omit<Query<'listTasks'>, 'offset'>, options?: CallOptions) => listTasks(call, query, options),
  /** A page of paid tasks, newest first, with how long they took. */
  settled: (query?: Query<'listSettled'>, options?: CallOptions) => call('listSettled', { query, ...options }),
  /** All paid tasks, newest first, page after page. */
  everySettled: (options?: CallOptions) => everySettled(call, options),
  claim: (id: string, options?: CallOptions) => call('claimTask', { params: { id }, ...options }),
  deliver: (id: string, delivery: Body<'deliverTask'>, options?: CallOptions) =>
    call('deliverTask', { params: { id }, body: salted(own, id, delivery), ...options }),
  /** Releases the escrow, or pays a declared bounty as `pay` and the client's options allow. */
  accept: (id: string, review?: Body<'acceptTask'>, options?: PaidCallOptions) =>
    call('acceptTask', { params: { id }, body: review, ...options }),
  revision: (id: string, request: Body<'requestRevision'>, options?: CallOptions) =>
    call('requestRevision', { params: { id }, body: request, ...options }),
  dispute: (id: string, dispute: Body<'disputeTask'>, options?: CallOptions) =>
    call('disputeTask', { params: { id }, body: dispute, ...options }),
  cancel: (id: string, cancellation?: Body<'cancelTask'>, options?: CallOptions) =>
    call('cancelTask', { params: { id }, body: cancellation, ...options }),
  /** Pays the deposit again after the first one has definitively failed. */
  fund: (id: string, options?: PaidCallOptions) => call('fundTask', { params: { id }, ...options }),
  payment: (id: string, options?: CallOptions) => call('getTaskPayment', { params: { id }, ...options }),
  receipt: async (id: string, options?: CallOptions) =>
    (await call('getReceipt', { params: { id }, ...options })).receipt,
  receipts: async (id: string, options?: CallOptions) =>
    (await call('listReceipts', { params: { id }, ...options })).receipts,
  submission: (id: string, options?: CallOptions) => call('getSubmission', { params: { id }, ...options }),
  publish: (id: string, options?: CallOptions) => call('publishSubmission', { params: { id }, ...options }),
  unpublish: (id: string, options?: CallOptions) => call('unpublishSubmission', { params: { id }, ...options }),
})

async function* everySettled(
  call: Call,
  options: CallOptions = {},
): AsyncGenerator<Answer<'listSettled'>['tasks'][number], void, undefined> {
  let cursor: string | undefined
  do {
    const page = await call('listSettled', { query: { limit: limits.settled.page.max, cursor }, ...options })
    yield* page.tasks
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
}

/**
 * All matching tasks, page after page; `limit` is the page size, 2 for 1. Tasks that no longer match, such as claimed ones,
 * move the others up, past the offset of the next page. So a page begins with a task of the page before; if it does not, the
 * pages before it are read again.
 */
async function* listTasks(
  call: Call,
  query: Omit<Query<'listTasks'>, 'offset'> = {},
  options: CallOptions = {},
): AsyncGenerator<Task, void, undefined> {
  const asked = Number(query.limit ?? limits.list.max)
  const limit = asked === 1 ? 2 : asked
  const seen = new Set<string>()
  for (let offset = 0; ; ) {
    const { tasks } = await call('listTasks', { query: { ...query, limit, offset }, ...options })
    const isNext = offset === 0 || seen.has(tasks[0]?.task_id ?? '')
    if (!isNext) {
      offset = Math.max(0, offset - limit)
      continue
    }
    for (const task of tasks) {
      if (!seen.has(task.task_id)) yield task
      seen.add(task.task_id)
    }
    if (tasks.length < limit) return
    offset += limit - 1
  }
}
