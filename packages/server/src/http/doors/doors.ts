import type { IncomingMessage } from 'node:http'
import type { Timer } from '../../ports/timer.ts'
import type { EndpointRoute, PageRoute } from '../resources.ts'
import { createDoor, type Door, type DoorCounts } from './door.ts'

/** The concurrency limits of a node, one per kind of work, so that one kind cannot block another. */
export type Doors = {
  forEndpoint(route: EndpointRoute, request: IncomingMessage): Door
  forPage(route: PageRoute): Door
  counts(): Readonly<Record<Kind, DoorCounts>>
}

type Kind = 'reads' | 'changes' | 'waiting'

/** Concurrent reads share their statements, and refusing one costs nearly as much as answering it. */
const MORE_FOR_READS = 2
/**
 * Requests that wait for chains or other services use few resources, so more of them are admitted; a burst of payments is
 * accepted whole and settled one by one.
 */
const MORE_FOR_WAITING = 16

export function createDoors(most: number, timer: Timer): Doors {
  const reads = createDoor(most * MORE_FOR_READS, timer)
  const changes = createDoor(most, timer)
  const waiting = createDoor(most * MORE_FOR_WAITING, timer)
  return {
    forEndpoint({ waits, declared }, { headers }) {
      const mayWait = waits === 'always' || (waits === 'when paid' && headers['payment-signature'] !== undefined)
      if (mayWait) return waiting
      return declared.method === 'GET' ? reads : changes
    },
    // A form may accept or cancel work, and so move money.
    forPage: ({ page }) => (page.method === 'POST' ? waiting : reads),
    counts: () => ({ reads: reads.counts(), changes: changes.counts(), waiting: waiting.counts() }),
  }
}
