import { Refusal } from '../domain/refusal.ts'
import type { Transaction } from '../ports/store.ts'
import { onlyShareable } from './only-shareable.ts'

type Work<T> = (tx: Transaction) => Promise<T>

type Parts = {
  /** Runs `work` once in one transaction, in which `open` gives each change its own view; commits everything or nothing. */
  together<T>(work: (open: () => Transaction) => Promise<T>): Promise<T>
  alone<T>(work: Work<T>): Promise<T>
  /** Whether the store itself failed, so that running a change again at once would be of no use, or of harm. */
  isStoreLost(error: unknown): boolean
  /** How many transactions run at most at once. */
  readonly atOnce: number
  /** Begins when those have come that come in this turn. */
  soon(begin: () => void): void
  /** Begins when those have come that are on their way. */
  whenHere(begin: () => void): void
}

type Member = {
  readonly subjects: readonly string[]
  run(tx: Transaction): Promise<void>
  done(): void
  fail(error: unknown): void
  runAlone(): void
}

/**
 * Half of the changes that a node works on at once by default: the callers of one half are answered, and asked for more, while
 * PostgreSQL writes the other half. While a transaction is running, another is begun once it would be full.
 */
const FULL = 16

/**
 * After a change that was refused, or held up those beside it, this many run alone, and twice as many each time it happens again:
 * where callers race for the same tasks, most are refused.
 */
const ALONE_AFTER_FAILURE = { least: 32, most: 1024 } as const

/**
 * Commits changes together that come at the same time: a commit and its round trips are most of what a small change costs. No two
 * of them have a subject in common, because row locks do not keep apart what shares a transaction. If one of them is refused or
 * fails, nothing of them all is written, and each runs again in a transaction of its own.
 */
export function shareCommits({ together, alone, isStoreLost, atOnce, soon, whenHere }: Parts) {
  let waiting: Member[] = []
  const subjectsInUse = new Set<string>()
  let running = 0
  let isStarting = false
  let isHeld = false
  let toRunAlone = 0
  let afterNextFailure: number = ALONE_AFTER_FAILURE.least

  /** The first that wait and have no subject in common with each other, nor with a change that is running. */
  function takeNext(): readonly Member[] {
    const taken: Member[] = []
    const left: Member[] = []
    const seen = new Set(subjectsInUse)
    for (const member of waiting) {
      const isApart = !member.subjects.some((subject) => seen.has(subject))
      for (const subject of member.subjects) seen.add(subject)
      if (isApart && taken.length < FULL) taken.push(member)
      else left.push(member)
    }
    waiting = left
    return taken
  }

  function startSoon(): void {
    if (isStarting) return
    isStarting = true
    soon(startMore)
  }

  function startMore(): void {
    isStarting = false
    while (running < atOnce && waiting.length >= FULL) if (!startOne()) break
    if (running === 0 && waiting.length > 0) startWhenHere()
  }

  /** Whether there was one to start: whoever shares a subject with what is running waits for it. */
  function startOne(): boolean {
    const members = takeNext()
    if (members.length > 0) void commit(members)
    return members.length > 0
  }

  /** A small transaction costs nearly as much as a full one, and keeps those behind it waiting for as long. */
  function startWhenHere(): void {
    if (isHeld) return
    isHeld = true
    whenHere(() => {
      isHeld = false
      if (running === 0) startOne()
    })
  }

  async function commit(members: readonly Member[]): Promise<void> {
    const subjects = members.flatMap((member) => member.subjects)
    running++
    for (const subject of subjects) subjectsInUse.add(subject)
    try {
      await together(async (open) => throwFirst(await runAll(members, open)))
      for (const member of members) member.done()
      if (members.length > 1) afterNextFailure = ALONE_AFTER_FAILURE.least
    } catch (error) {
      giveUp(members, error)
    } finally {
      running--
      for (const subject of subjects) subjectsInUse.delete(subject)
      startSoon()
    }
  }

  /** All of them come to their end, so that none is still running when it runs again alone. */
  const runAll = (
    members: readonly Member[],
    open: () => Transaction,
  ): Promise<readonly PromiseSettledResult<void>[]> =>
    Promise.allSettled(members.map((member) => member.run(onlyShareable(open(), member.subjects))))

  /** That the store is lost counts more than what one of them was refused for. */
  function throwFirst(outcomes: readonly PromiseSettledResult<void>[]): void {
    const failures = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }): unknown => reason)
    if (failures.length > 0) throw failures.find(isStoreLost) ?? failures[0]
  }

  function giveUp(members: readonly Member[], error: unknown): void {
    const isLost = isStoreLost(error)
    const isSingle = members.length === 1
    for (const member of members) {
      if (isLost || (isSingle && error instanceof Refusal)) member.fail(error)
      else member.runAlone()
    }
    if (isLost || !isSingle) runNextAlone()
  }

  /** What has waited behind a transaction that failed does not wait for another one like it. */
  function runNextAlone(): void {
    toRunAlone = afterNextFailure
    afterNextFailure = Math.min(2 * afterNextFailure, ALONE_AFTER_FAILURE.most)
    const behind = waiting
    waiting = []
    for (const member of behind) member.runAlone()
  }

  return function sharedTransaction<T>(subjects: readonly string[], work: Work<T>): Promise<T> {
    if (toRunAlone > 0) {
      toRunAlone--
      return alone(work)
    }
    return new Promise((resolve, reject) => {
      let result: T
      waiting.push({
        subjects,
        async run(tx) {
          result = await work(tx)
        },
        done: () => resolve(result),
        fail: reject,
        runAlone: () => void alone(work).then(resolve, reject),
      })
      startSoon()
    })
  }
}
