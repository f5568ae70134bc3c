import type { Notebook, Person, TaskNote } from '../load/notebook.ts'
import type { Found, FoundTask } from './look-around.ts'

/** Where the deposit of a task is once everything has come to rest. */
const ESCROW: Readonly<Record<string, string>> = {
  open: 'funded',
  claimed: 'funded',
  submitted: 'funded',
  verified: 'released',
  cancelled: 'refunded',
}

const BOND_ATOMIC = 1_000_000n

/** What clients were told, against what is there. */
export function* promisesBroken(notebook: Notebook, found: Found): Iterable<string> {
  yield* notebook.surprises
  const byTitle = Map.groupBy(found.tasks, ({ title }) => title)
  for (const note of notebook.tasks) yield* wrongTask(note, byTitle.get(note.title) ?? [])
  for (const { title, id, status, escrow } of found.tasks) {
    if (!notebook.tasks.some((note) => note.title === title)) yield `nobody has posted the task ${id}`
    if (escrow !== ESCROW[status]) yield `task ${id} is ${status} and its deposit is ${escrow}`
  }
  for (const id of notebook.registered) {
    if (!found.agents.has(id)) yield `agent ${id} was registered and is not there`
  }
  for (const person of notebook.people) yield* wrongMoney(person, found)
  for (const { network, owed, held } of found.reserves) {
    if (owed !== held) yield `${network}: ${owed} is owed and the escrow wallet holds ${held}`
  }
}

/** A task stands as its clients were told last, or as they have asked for since. */
function* wrongTask(note: TaskNote, several: readonly FoundTask[]): Iterable<string> {
  const [task] = several
  if (several.length > 1) yield `${note.title} was posted once and is there ${several.length} times`
  const standing = task?.status ?? 'absent'
  if (standing !== note.told && standing !== note.asked) {
    yield `task ${note.id ?? note.title} is ${standing}; its clients were told ${note.told} and asked for ${note.asked}`
  }
  if (task && note.id !== null && task.id !== note.id) yield `task ${note.id} is now called ${task.id}`
  if (task && task.bounty !== note.bounty) yield `task ${task.id} was to pay ${note.bounty} and pays ${task.bounty}`
}

/** Nobody has paid or been paid twice: a wallet holds what it was given and has earned, less what it has paid. */
function* wrongMoney(person: Person, { tasks, wallets, bonds }: Found): Iterable<string> {
  const bond = bonds.get(person.id) ?? 0n
  const [told, asked] = [BigInt(person.bondsTold) * BOND_ATOMIC, BigInt(person.bondsAsked) * BOND_ATOMIC]
  if (bond < told || bond > asked)
    yield `agent ${person.id} has a bond of ${bond}, was told ${told}, asked for ${asked}`
  const sum = (several: readonly FoundTask[]) => several.reduce((total, { bounty }) => total + bounty, 0n)
  const earned = sum(tasks.filter(({ worker, status }) => worker === person.id && status === 'verified'))
  const paid = sum(tasks.filter(({ buyer, status }) => buyer === person.id && status !== 'cancelled'))
  const expected = person.given + earned - paid - bond
  const held = wallets.get(person.id)
  if (held !== expected) yield `the wallet of ${person.id} holds ${held} instead of ${expected}`
}
