import { refuse } from '../../domain/refusal.ts'
import type { TaskDetail } from '../../ports/task-store.ts'
import type { World } from '../../ports/world.ts'

export const taskDetail = async ({ store }: World, id: string): Promise<TaskDetail> =>
  (await store.taskDetail(id)) ?? refuseUnknownTask(id)

export const refuseUnknownTask = (id: string): never =>
  refuse('not_found', { resource: 'task' }, `There is no task ${id}.`)
