import type { DoorCounts } from '../http/doors/door.ts'
import type { FigureStore } from '../ports/figure-store.ts'
import { type GaugeTable, single } from './gauge-table.ts'

export type AtNode = {
  readonly pool: ReturnType<FigureStore['pool']>
  readonly openStreams: number
  readonly doors: Readonly<Record<string, DoorCounts>>
}

/** What only this node knows. Alerts and dashboards use these names. */
export const NODE_GAUGES: GaugeTable<AtNode> = {
  guildhall_database_connections: {
    help: 'connections of this node that are open or idle, and calls that wait for one',
    labels: ['state'],
    values: ({ pool }) => Object.entries(pool).map(([state, value]) => ({ labels: { state }, value })),
  },
  guildhall_event_streams: single('event streams open on this node', ({ openStreams }) => openStreams),
  guildhall_door_requests: {
    help: 'requests on this node by kind of work: being worked on, or waiting in line',
    labels: ['door', 'state'],
    values: ({ doors }) =>
      Object.entries(doors).flatMap(([door, { atWork, inLine }]) => [
        { labels: { door, state: 'at work' }, value: atWork },
        { labels: { door, state: 'in line' }, value: inLine },
      ]),
  },
}
