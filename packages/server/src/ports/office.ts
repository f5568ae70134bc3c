import type { World } from './world.ts'

/** What an operator's command needs of the world: the database, but no keys and no network. */
export type Office = Pick<World, 'store' | 'clock' | 'random'>
