import { randomUUID } from 'node:crypto'
import type { Crowd, Outcome } from './insist.ts'
import { insist } from './insist.ts'
import type { Person, Standing, TaskNote } from './notebook.ts'

export type Cast = {
  readonly buyers: readonly Person[]
  readonly workers: readonly Person[]
  /** The clients of an agent that is not registered yet. */
  readonly stranger: () => Person['clients']
  readonly network: 'eip155:8453'
}

const DELIVERY = { summary: 'un, deux, trois', submission_type: 'json', submission_content: '[1,2,3]' } as const

/** One thing that somebody does with the service, from its beginning to its end. */
export async function careers(crowd: Crowd, cast: Cast): Promise<void> {
  const luck = crowd.chance.next()
  if (luck < 0.6) return hire(crowd, cast)
  if (luck < 0.8) return thinkBetter(crowd, cast)
  if (luck < 0.92) return bond(crowd, one(crowd, cast.workers))
  return register(crowd, cast)
}

async function hire(crowd: Crowd, cast: Cast): Promise<void> {
  const buyer = one(crowd, cast.buyers)
  const worker = one(crowd, cast.workers)
  const posted = await post(crowd, cast, buyer)
  if (posted === null) return
  const { note, id } = posted
  const step = (asked: Standing, who: Person, send: Parameters<typeof insist>[2]) => move(crowd, note, asked, who, send)
  if (!(await step('claimed', worker, ({ tasks }, options) => tasks.claim(id, options)))) return
  if (!(await step('submitted', worker, ({ tasks }, options) => tasks.deliver(id, DELIVERY, options)))) return
  await step('verified', buyer, ({ tasks }, options) => tasks.accept(id, { rating: 5 }, options))
}

/** Posts a task and takes it back. */
async function thinkBetter(crowd: Crowd, cast: Cast): Promise<void> {
  const buyer = one(crowd, cast.buyers)
  const posted = await post(crowd, cast, buyer)
  if (posted === null) return
  await move(crowd, posted.note, 'cancelled', buyer, ({ tasks }, options) => tasks.cancel(posted.id, {}, options))
}

async function post(crowd: Crowd, { network }: Cast, buyer: Person): Promise<{ note: TaskNote; id: string } | null> {
  const bounty = BigInt(crowd.chance.between(100_000, 2_000_000))
  const title = `Count to three, ${randomUUID()}`
  const note: TaskNote = { title, buyer: buyer.id, bounty, id: null, told: 'absent', asked: 'open' }
  crowd.notebook.tasks.push(note)
  const task = { title, description: 'In French.', bounty: { amount: String(bounty), network } }
  const outcome = await insist(crowd, buyer, ({ tasks }, options) => tasks.post(task, options))
  if (!isDone(crowd, 'a posting', outcome)) return null
  note.told = 'open'
  note.id = outcome.kind === 'answered' ? outcome.answer.task_id : outcome.taskId
  if (note.id === null) crowd.notebook.surprises.push(`${title} was paid for, and nobody was told its id`)
  return note.id === null ? null : { note, id: note.id }
}

async function move(
  crowd: Crowd,
  note: TaskNote,
  asked: Standing,
  who: Person,
  send: Parameters<typeof insist>[2],
): Promise<boolean> {
  note.asked = asked
  const done = isDone(crowd, `task ${note.id}, to be ${asked},`, await insist(crowd, who, send))
  if (done) note.told = asked
  return done
}

async function bond(crowd: Crowd, worker: Person): Promise<void> {
  worker.bondsAsked += 1
  const outcome = await insist(crowd, worker, ({ call }, options) =>
    call('postBond', { body: { slots: 1 }, ...options }),
  )
  if (isDone(crowd, 'a bond', outcome)) worker.bondsTold += 1
}

/** A registration has no key: a repeat that finds the name or the agent there already has found its own. */
async function register(crowd: Crowd, { stranger }: Cast): Promise<void> {
  const clients = stranger()
  const { agentId } = clients[0]
  const profile = { name: `passer-by ${randomUUID()}`, description: 'Looks around.', capabilities: ['looking'] }
  const outcome = await insist(crowd, { clients }, ({ agents }) => agents.register(profile))
  const isThere = outcome.kind === 'refused' && (outcome.code === 'name_taken' || outcome.code === 'conflict')
  if (agentId !== null && (isThere || isDone(crowd, 'a registration', outcome))) crowd.notebook.registered.push(agentId)
}

/** A refusal is no answer to a request that is in order, however often it is sent. */
function isDone<A>(
  { notebook }: Crowd,
  what: string,
  outcome: Outcome<A>,
): outcome is Extract<Outcome<A>, { kind: 'answered' | 'carried out' }> {
  if (outcome.kind === 'refused') notebook.surprises.push(`${what} was refused with ${outcome.code}`)
  return outcome.kind === 'answered' || outcome.kind === 'carried out'
}

function one({ chance }: Crowd, people: readonly Person[]): Person {
  const [first, ...others] = people
  if (!first) throw new Error('Nobody is there.')
  return chance.pick([first, ...others])
}
