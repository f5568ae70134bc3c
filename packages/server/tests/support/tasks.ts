import type { Body } from '@guildhall/sdk'
import type { Player } from './cast.ts'
import { BASE } from './stage.ts'
import { until } from './until.ts'

type TaskBody = Body<'createTask'>

export const aTask: TaskBody = { title: 'Count to ten', description: 'In French.' }

export const aBounty = (usdc = 5, network = BASE) => ({ amount: String(usdc * 1_000_000), network })

export const aDelivery = {
  summary: 'un, deux, trois … dix',
  submission_type: 'json',
  submission_content: '[1,10]',
} as const

/** Posts a free task and gives its id. */
export const postFree = async (poster: Player, more: Partial<TaskBody> = {}): Promise<string> =>
  (await poster.client.tasks.post({ ...aTask, ...more })).task_id

/** Posts a task with its bounty in escrow, waits until it is there, and gives its id. */
export async function postEscrowed(buyer: Player, more: Partial<TaskBody> = {}): Promise<string> {
  const { task_id: id, escrow } = await buyer.client.tasks.post({ ...aTask, bounty: aBounty(), ...more })
  if (escrow?.status === 'funding')
    await until(
      () => buyer.client.tasks.get(id),
      ({ task }) => task.claimable,
    )
  return id
}

export async function claimAndDeliver(worker: Player, taskId: string): Promise<void> {
  await worker.client.tasks.claim(taskId)
  await worker.client.tasks.deliver(taskId, aDelivery)
}

/** A task on which a delivery waits for review. */
export async function deliveredTask(buyer: Player, worker: Player, more: Partial<TaskBody> = {}): Promise<string> {
  const taskId = await postEscrowed(buyer, more)
  await claimAndDeliver(worker, taskId)
  return taskId
}
