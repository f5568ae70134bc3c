import type { Agent, InboxEvent, Task, Transfer } from '@guildhall/server/parts'
import type { Told } from '../people/history.ts'
import type { Stage } from '../people/stage.ts'

/** Compares what callers were told with the outcome. */
export function* promisesKept({ day, history }: Stage): Iterable<string> {
  const { tables } = day.database
  const isOk = ({ answer }: Told) => answer.kind === 'ok'
  const asked = (verb: string) => history.filter(({ request }) => request.verb === verb)
  for (const told of asked('post').concat(asked('hire'))) yield* lost(told, tables.tasks)
  for (const told of asked('bond').concat(asked('withdraw'))) yield* lost(told, tables.transfers)
  const suspended = new Set(
    [...tables.events.values()].filter(({ type }) => type === 'status.changed').map(({ agentId }) => agentId),
  )
  for (const task of tables.tasks.values()) {
    const about = (verb: string) => asked(verb).filter(({ request }) => request.taskId === task.id)
    const told = [...tables.events.values()].filter(({ refId }) => refId === task.id)
    yield* wrongClaims(task, about('claim').filter(isOk), told)
    yield* wrongAnnouncements(task, told, tables.agents.values(), suspended)
    const delivered = new Set(
      about('deliver')
        .filter(isOk)
        .map(({ request }) => request.signature),
    )
    for (const signature of delivered) {
      const times = [...tables.receipts.values()].filter((receipt) => receipt.signed.signature === signature).length
      if (times !== 1) yield `the delivery of ${task.id} with ${signature} was acknowledged and has ${times} receipts`
    }
    yield* lostDecisions(task, 'revision', about('revision').filter(isOk), task.revisionCount)
    const disputes = told.filter(({ type }) => type === 'task.disputed').length
    yield* lostDecisions(task, 'dispute', about('dispute').filter(isOk), disputes)
    if (about('accept').some(isOk)) yield* unpaid(task)
    if (about('cancel').some(isOk) && task.status !== 'cancelled') {
      yield `task ${task.id} was cancelled for its poster and is ${task.status}`
    }
    if (task.acceptedBy === 'creator' && about('accept').length === 0)
      yield `nobody accepted ${task.id}, but it is paid`
    if (task.status === 'cancelled' && about('cancel').length === 0) yield `nobody cancelled ${task.id}`
  }
  yield* usedTwice(history)
  yield* repeatedTasks(tables.tasks.values())
}

/** What the answer names: the task that was posted, or the transfer that was recorded. */
type Named = { readonly task: Task } | Transfer | null

function* lost({ request, answer }: Told, kept: ReadonlyMap<string, unknown>): Iterable<string> {
  const named = answer.kind === 'ok' ? (answer.value as Named) : null
  if (named === null) return
  const { id } = 'task' in named ? named.task : named
  if (!kept.has(id)) yield `${request.verb} was acknowledged with ${id}, which does not exist`
}

/** What one signature asked for happened once, however often that was acknowledged. */
function* lostDecisions({ id }: Task, what: string, told: readonly Told[], kept: number): Iterable<string> {
  const asked = new Set(told.map(({ request }) => request.signature)).size
  if (asked > kept) yield `a ${what} of ${id} was acknowledged ${asked} times and happened ${kept} times`
}

/** I5: of all callers that claim, one has the task until its claim lapses. */
function* wrongClaims(task: Task, won: readonly Told[], told: readonly InboxEvent[]): Iterable<string> {
  const winners = new Set(won.map(({ request }) => request.signature)).size
  const lapses = lapsesOf(told)
  if (winners > lapses + 1) yield `${winners} claims of ${task.id} were acknowledged, ${lapses} lapsed`
}

const lapsesOf = (told: readonly InboxEvent[]): number =>
  told.filter(({ type }) => type === 'task.claim_expired').length

/** Every active agent that matches is told once per opening of a task; one that ended without work may have ended before that. */
function* wrongAnnouncements(
  task: Task,
  told: readonly InboxEvent[],
  agents: Iterable<Agent>,
  suspended: ReadonlySet<string>,
): Iterable<string> {
  const openings = task.requiredCapabilities.length === 0 ? 0 : lapsesOf(told) + 1
  for (const { id, profile } of agents) {
    const times = told.filter(({ agentId, type }) => agentId === id && type === 'task.available').length
    const isAble =
      id !== task.creator.id && task.requiredCapabilities.every((one) => profile.capabilities.includes(one))
    const [least, most] = !isAble ? [0, 0] : [task.status === 'verified' && !suspended.has(id) ? openings : 0, openings]
    if (times < least || times > most)
      yield `${id} was told ${times} times of ${task.id}, which was opened ${openings} times`
  }
}

/** I6: an accepted task is paid, unless its deposit was reorged away for good. */
function* unpaid(task: Task): Iterable<string> {
  if (task.status !== 'verified') yield `task ${task.id} was accepted and is ${task.status}`
  if (task.escrow !== null && task.escrow.status !== 'released' && task.escrow.status !== 'unfunded') {
    yield `task ${task.id} was accepted, and its deposit is ${task.escrow.status}`
  }
}

/**
 * A signature changes something at most once, unlike a token. Accepting an accepted task, or proving a proven wallet, changes
 * nothing.
 */
function* usedTwice(history: readonly Told[]): Iterable<string> {
  const counted = history
    .filter(({ request, answer }) => answer.kind === 'ok' && !REPEATABLE.has(request.verb))
    .filter(({ request }) => !request.signature.startsWith('token'))
  for (const [signature, several] of Map.groupBy(counted, ({ request }) => request.signature)) {
    if (several.length > 1)
      yield `${several[0]?.request.verb} with ${signature} was carried out ${several.length} times`
  }
}

function* repeatedTasks(tasks: Iterable<Task>): Iterable<string> {
  const signed = [...tasks].filter(({ proposerSignature }) => proposerSignature !== null)
  for (const [signature, several] of Map.groupBy(signed, ({ proposerSignature }) => proposerSignature)) {
    if (several.length > 1) yield `${signature} posted ${several.length} tasks`
  }
}

const REPEATABLE: ReadonlySet<string> = new Set(['accept', 'prove wallet'])
