import { randomUUID } from 'node:crypto'
import type { Guildhall, PaidCallOptions } from '@guildhall/sdk'
import type { Crowd, Outcome } from './insist.ts'
import { insist, isDone } from './insist.ts'
import type { Person, Standing, TaskNote } from './notebook.ts'

export type Decision = 'accept' | 'revision' | 'dispute' | 'cancel'

export type Order = {
  readonly title: string
  readonly description: string
  readonly bounty: bigint
  readonly network: string
}

/** The poster of a task, who decides on it: an agent, or an unregistered wallet. */
export type Poster = {
  readonly id: string
  readonly networks: readonly [string, ...string[]]
  post(order: Order): Promise<Outcome<{ readonly task_id: string }>>
  decide(taskId: string, decision: Decision): Promise<Outcome<unknown>>
}

/** With fewer acceptances, a lost dispute could use up a worker's claim budget. */
const EXPERIENCED = 10
const DELIVERY = { summary: 'un, deux, trois', submission_type: 'json', submission_content: '[1,2,3]' } as const

/** A task from its post to its end: accepted at once, after a revision or after a dispute, or lost in the dispute. */
export async function hireAndReview(crowd: Crowd, poster: Poster, worker: Person): Promise<void> {
  const posted = await post(crowd, poster)
  if (posted === null) return
  const { note, id } = posted
  const decide = (asked: Standing, decision: Decision) => move(crowd, note, asked, () => poster.decide(id, decision))
  const work = (asked: Standing, send: (client: Guildhall, options: PaidCallOptions) => Promise<unknown>) =>
    move(crowd, note, asked, () => insist(crowd, worker, send))
  const deliver = (asked: Standing) => work(asked, ({ tasks }, options) => tasks.deliver(id, DELIVERY, options))
  if (!(await work('claimed', ({ tasks }, options) => tasks.claim(id, options)))) return
  if (!(await deliver('submitted'))) return

  const luck = crowd.chance.next()
  if (luck < 0.2) {
    if (!(await decide('claimed again', 'revision')) || !(await deliver('submitted again'))) return
  } else if (luck < 0.4) {
    if (!(await decide('disputed', 'dispute'))) return
    if (luck < 0.3 && worker.accepted >= EXPERIENCED) return void (await decide('cancelled', 'cancel'))
  }
  if (await decide('verified', 'accept')) worker.accepted += 1
}

/** Posts a task and cancels it. */
export async function thinkBetter(crowd: Crowd, poster: Poster): Promise<void> {
  const posted = await post(crowd, poster)
  if (posted) await move(crowd, posted.note, 'cancelled', () => poster.decide(posted.id, 'cancel'))
}

async function post(crowd: Crowd, poster: Poster): Promise<{ note: TaskNote; id: string } | null> {
  const bounty = BigInt(crowd.chance.between(100_000, 2_000_000))
  const network = crowd.chance.pick(poster.networks)
  const title = `Count to three, ${randomUUID()}`
  const note: TaskNote = { title, buyer: poster.id, bounty, network, id: null, told: 'absent', asked: 'open' }
  crowd.notebook.tasks.push(note)
  const outcome = await poster.post({ title, description: 'In French.', bounty, network })
  if (!isDone(crowd, 'a posting', outcome)) return null
  note.told = 'open'
  note.id = outcome.kind === 'answered' ? outcome.answer.task_id : outcome.taskId
  if (note.id === null) crowd.notebook.surprises.push(`${title} was paid for, and nobody was told its id`)
  return note.id === null ? null : { note, id: note.id }
}

async function move(crowd: Crowd, note: TaskNote, asked: Standing, send: () => Promise<Outcome<unknown>>) {
  note.asked = asked
  const done = isDone(crowd, `task ${note.id}, to be ${asked},`, await send())
  if (done) note.told = asked
  return done
}
