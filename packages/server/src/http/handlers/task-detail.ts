import { refuseUnknownTask } from '../../domain/task/refuse-unknown-task.ts'
import type { TaskDetail } from '../../ports/task-store.ts'
import type { World } from '../../ports/world.ts'

export const taskDetail = async ({ store }: World, id: string): Promise<TaskDetail> =>
  (await store.taskDetail(id)) ?? refuseUnknownTask(id)
