/** Runs the work, or joins a run of the same name that has not started yet. */
export type SharedTurns = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>

type Turn = { readonly ended: Promise<void>; next: Promise<unknown> | null }

/**
 * Concurrent calls of the same name share one run. A call that arrives during a run waits for the next one and shares it with all
 * calls that arrive meanwhile, so no caller gets a result that was read before its call.
 */
export function createSharedTurns(): SharedTurns {
  const turns = new Map<string, Turn>()

  async function begin<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const turn: Turn = { ended, next: null }
    turns.set(name, turn)
    try {
      return await work()
    } finally {
      if (turn.next === null) turns.delete(name)
      end()
    }
  }

  return <Result>(name: string, work: () => Promise<Result>) => {
    const turn = turns.get(name)
    if (turn === undefined) return begin(name, work)
    turn.next ??= turn.ended.then(() => begin(name, work))
    return turn.next as Promise<Result>
  }
}
