import { BOND_ATOMIC } from '../load/bond-career.ts'
import type { Notebook, Payer, Person, TaskNote } from '../load/notebook.ts'
import type { Found, FoundTask } from './look-around.ts'

/** The final escrow status for each task status. */
const ESCROW: Readonly<Record<string, string>> = {
  open: 'funded',
  claimed: 'funded',
  submitted: 'funded',
  'claimed again': 'funded',
  'submitted again': 'funded',
  disputed: 'funded',
  verified: 'released',
  cancelled: 'refunded',
}

/** Compares what clients were told with the final state. */
export function* promisesBroken(notebook: Notebook, found: Found): Iterable<string> {
  yield* notebook.surprises
  const byTitle = Map.groupBy(found.tasks, ({ title }) => title)
  for (const note of notebook.tasks) yield* wrongTask(note, byTitle.get(note.title) ?? [])
  for (const { title, id, standing, escrow } of found.tasks) {
    if (!notebook.tasks.some((note) => note.title === title)) yield `nobody has posted the task ${id}`
    if (escrow !== ESCROW[standing]) yield `task ${id} is ${standing} and its deposit is ${escrow}`
  }
  for (const id of notebook.registered) {
    if (!found.agents.has(id)) yield `agent ${id} was registered and is not there`
  }
  for (const person of notebook.people) yield* wrongBond(person, found)
  for (const payer of [...notebook.people, ...notebook.hirers]) yield* wrongMoney(payer, found)
  for (const { network, owed, held } of found.reserves) {
    if (owed !== held) yield `${network}: ${owed} is owed and the escrow wallet holds ${held}`
  }
}

/** A task must have the status that its clients were told last, or have requested since. */
function* wrongTask(note: TaskNote, several: readonly FoundTask[]): Iterable<string> {
  const [task] = several
  if (several.length > 1) yield `${note.title} was posted once and is there ${several.length} times`
  const standing = task?.standing ?? 'absent'
  if (standing !== note.told && standing !== note.asked) {
    yield `task ${note.id ?? note.title} is ${standing}; its clients were told ${note.told} and asked for ${note.asked}`
  }
  if (task && note.id !== null && task.id !== note.id) yield `task ${note.id} is now called ${task.id}`
  if (task && (task.bounty !== note.bounty || task.network !== note.network)) {
    yield `task ${task.id} was to pay ${note.bounty} on ${note.network} and pays ${task.bounty} on ${task.network}`
  }
}

/** A bond is what was paid in less what was paid back; a request without an answer may count or not. */
function* wrongBond(person: Person, { bonds }: Found): Iterable<string> {
  const bond = bonds.get(person.id) ?? 0n
  const least = BigInt(person.bondsTold - person.withdrawalsAsked) * BOND_ATOMIC
  const most = BigInt(person.bondsAsked - person.withdrawalsTold) * BOND_ATOMIC
  if (bond < least || bond > most) yield `agent ${person.id} has a bond of ${bond}, not from ${least} to ${most}`
}

/** Nobody has paid or been paid twice: a wallet holds what it was given and has earned, less what it has paid. */
function* wrongMoney({ id, given }: Payer, { tasks, wallets, bonds }: Found): Iterable<string> {
  const sum = (several: readonly FoundTask[]) => several.reduce((total, { bounty }) => total + bounty, 0n)
  const earned = sum(tasks.filter(({ worker, standing }) => worker === id && standing === 'verified'))
  const paid = sum(tasks.filter(({ buyer, standing }) => buyer === id && standing !== 'cancelled'))
  const expected = given + earned - paid - (bonds.get(id) ?? 0n)
  const held = wallets.get(id)
  if (held !== expected) yield `the wallet of ${id} holds ${held} instead of ${expected}`
}
