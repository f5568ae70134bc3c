import { refuse } from '../refusal.ts'

export const refuseUnknownTask = (id: string): never =>
  refuse('not_found', { resource: 'task' }, `There is no task ${id}.`)
