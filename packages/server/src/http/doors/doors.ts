import type { IncomingMessage } from 'node:http'
import type { Timer } from '../../ports/timer.ts'
import type { EndpointRoute, PageRoute } from '../resources.ts'
import { createDoor, type Door, type DoorCounts } from './door.ts'

/** The doors of a node: work of one kind does not keep out that of another. */
export type Doors = {
  forEndpoint(route: EndpointRoute, request: IncomingMessage): Door
  forPage(route: PageRoute): Door
  counts(): Readonly<Record<Kind, DoorCounts>>
}

type Kind = 'reads' | 'changes' | 'waiting'

/** Whoever waits for others needs a place and little else; a burst of payments is taken in whole and settled one after the other. */
const MORE_FOR_WAITING = 16

export function createDoors(most: number, timer: Timer): Doors {
  const reads = createDoor(most, timer)
  const changes = createDoor(most, timer)
  const waiting = createDoor(most * MORE_FOR_WAITING, timer)
  return {
    forEndpoint({ waits, declared }, { headers }) {
      const mayWait = waits === 'always' || (waits === 'when paid' && headers['payment-signature'] !== undefined)
      if (mayWait) return waiting
      return declared.method === 'GET' ? reads : changes
    },
    // A form may accept work or call it off, and so move money.
    forPage: ({ page }) => (page.method === 'POST' ? waiting : reads),
    counts: () => ({ reads: reads.counts(), changes: changes.counts(), waiting: waiting.counts() }),
  }
}
