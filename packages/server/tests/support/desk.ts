import { type Desk, openDesk } from '../../src/open-desk.ts'
import type { Stage } from './stage.ts'
import { silentLog } from './store.ts'

/** Does what an operator does, with the database alone. */
export async function atDesk<T>(stage: Stage, work: (desk: Desk) => Promise<T>): Promise<T> {
  const desk = openDesk(stage.databaseUrl, silentLog, stage.now)
  try {
    return await work(desk)
  } finally {
    await desk.close()
  }
}
