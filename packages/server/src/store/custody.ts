import type { CustodyReads, CustodyWrites } from '../ports/custody-store.ts'
import type { Connection } from './connection.ts'
import { positionReads, positionWrites } from './custody-position.ts'
import { movementReads, movementWrites } from './movements.ts'
import { strayReads, strayWrites } from './strays.ts'
import { watchReads, watchWrites } from './watches.ts'

export const custodyReads = (connection: Connection): CustodyReads => ({
  ...watchReads(connection),
  ...movementReads(connection),
  ...strayReads(connection),
  ...positionReads(connection),
})

export const custodyWrites = (connection: Connection): CustodyWrites => ({
  ...watchWrites(connection),
  ...movementWrites(connection),
  ...strayWrites(connection),
  ...positionWrites(connection),
})
