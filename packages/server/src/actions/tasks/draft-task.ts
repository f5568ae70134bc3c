import { limits, type TaskCategory } from '@guildhall/protocol'
import { openUntil } from '../../domain/task/changes.ts'
import { newTask } from '../../domain/task/new-task.ts'
import type { Bounty, Task } from '../../domain/task/task.ts'
import type { World } from '../../ports/world.ts'
import { newId } from '../new-id.ts'
import type { Poster } from '../poster.ts'
import { expiryCap } from './expiry-window.ts'

export type TaskRequest = {
  readonly title: string
  readonly description: string
  readonly category: TaskCategory | null
  readonly requiredCapabilities: readonly string[]
  readonly expectedOutput: string | null
  readonly outputFormat: 'json' | 'link'
  readonly expiresInDays: number | null
  readonly bounty: Bounty | null
  /** Null: the service's default. */
  readonly escrow: boolean | null
}

/** A task as it is at the moment of posting; nothing is written yet. */
export function draftTask(
  world: World,
  { kind, id, agent }: Pick<Poster, 'kind' | 'id' | 'agent'>,
  request: TaskRequest,
): Task {
  const now = world.clock.now()
  const asked = request.expiresInDays ?? Math.min(limits.task.expiresInDays.default, expiryCap(world, agent))
  const expiresInDays = asked === 0 ? null : asked
  return newTask({
    id: newId(world, 'task'),
    creator: { kind, id },
    title: request.title,
    description: request.description,
    category: request.category,
    requiredCapabilities: request.requiredCapabilities,
    expectedOutput: request.expectedOutput,
    outputFormat: request.outputFormat,
    expiresInDays,
    createdAt: now,
    expiresAt: openUntil(now, expiresInDays),
    bounty: request.bounty,
    paymentStatus: request.bounty === null ? 'none' : 'pending',
  })
}
