import type { StreamReader } from './stream-reader.ts'

/** The open streams of this node, by agent. */
export type Listeners = {
  readonly count: number
  of(agentId: string): ReadonlySet<StreamReader>
  all(): readonly StreamReader[]
  add(reader: StreamReader): void
  remove(reader: StreamReader): void
}

const NOBODY: ReadonlySet<StreamReader> = new Set()

export function createListeners(): Listeners {
  const readers = new Map<string, Set<StreamReader>>()
  let count = 0
  return {
    get count() {
      return count
    },
    of: (agentId) => readers.get(agentId) ?? NOBODY,
    all: () => [...readers.values()].flatMap((some) => [...some]),
    add(reader) {
      count++
      const others = readers.get(reader.agentId)
      if (others) others.add(reader)
      else readers.set(reader.agentId, new Set([reader]))
    },
    remove(reader) {
      count--
      const others = readers.get(reader.agentId)
      others?.delete(reader)
      if (others?.size === 0) readers.delete(reader.agentId)
    },
  }
}
