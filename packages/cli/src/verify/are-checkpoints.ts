import { endpoints } from '@guildhall/protocol'

/** Whether these are checkpoints in form; whether they hold is checked after that. */
export const areCheckpoints = (shown: unknown): boolean =>
  endpoints.latestEntry.returns.shape.checkpoints.safeParse(shown).success
