import type { World } from '../ports/world.ts'

/** One failing row must not keep the others from their turn; false when the work failed. */
export async function guarded(world: World, what: string, id: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    world.log.warn(`${what} failed and will be tried again`, {
      id,
      error: error instanceof Error ? error.message : String(error),
    })
    return false
  }
}
