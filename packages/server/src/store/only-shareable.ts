import type { Transaction } from '../ports/store.ts'

type Method = Extract<keyof Transaction, string>
type SubjectsOf<Name extends Method> = Transaction[Name] extends (...values: infer Values) => unknown
  ? (...values: Values) => readonly string[]
  : never

const nothing = (): readonly string[] => []
const itself = (id: string): readonly string[] => [id]
const ofTask = ({ id }: { readonly id: string }): readonly string[] => [id]

/**
 * What a change may do in a transaction that it shares, and which subjects it must have declared for it. Here are writes that add
 * rows of their own or add to a counter in one statement, reads of what never changes, and what is read or written under the
 * lock of a declared subject. Anything else could meet another change of the same transaction, which no lock keeps out.
 */
const shareable: { readonly [Name in Method]?: SubjectsOf<Name> } = {
  burnSignature: nothing,
  commitKey: nothing,
  noteSeen: nothing,
  postTask: nothing,
  lockTask: itself,
  saveTask: ofTask,
  announceAtOnce: ofTask,
  receipts: itself,
  lockAgent: itself,
  activeClaims: itself,
  countForAgent: nothing,
  insertSubmission: nothing,
  insertReceipt: nothing,
  appendPending: nothing,
  addEvents: nothing,
  owner: nothing,
  insertMail: nothing,
}

/** A change that turned out to need a transaction of its own. */
class NeedsItsOwnError extends Error {
  constructor(method: string) {
    super(`${method} may meet another change of a shared transaction.`)
    this.name = 'NeedsItsOwnError'
  }
}

/** The same transaction for one of those who share it; whatever is not shareable fails. */
export const onlyShareable = (tx: Transaction, subjects: readonly string[]): Transaction =>
  new Proxy(tx, {
    get(target, name) {
      const subjectsOf = ruleFor(name)
      return (...values: unknown[]) =>
        subjectsOf?.(...values).every((subject) => subjects.includes(subject))
          ? Reflect.apply(Reflect.get(target, name), target, values)
          : Promise.reject(new NeedsItsOwnError(String(name)))
    },
  })

type Rule = (...values: unknown[]) => readonly string[]
const ruleFor = (name: string | symbol): Rule | undefined => Reflect.get(shareable, name) as Rule | undefined
