/** Does the work, or waits for somebody who is about to do it. */
export type SharedTurns = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>

type Turn = { readonly ended: Promise<void>; next: Promise<unknown> | null }

/**
 * What many ask for at once is done once for all of them. Whoever asks while it is being done waits for the next turn and shares it
 * with all others who came meanwhile: so nobody gets what was looked up before he asked.
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
