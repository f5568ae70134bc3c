import { DAY } from '@guildhall/protocol'
import type { Task } from '../../domain/task/task.ts'
import { type Mailed, taskLetter } from '../../domain/task/task-letter.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { addMail } from './add-mail.ts'

const OF_USE_MS = 3 * DAY

/** Posters who are people have no inbox, so they are mailed; other posters are not. */
export async function mailPoster(world: World, tx: Transaction, task: Task, about: Mailed): Promise<void> {
  if (task.creator.kind !== 'owner' || world.mailer === null) return
  const owner = await tx.owner(task.creator.id)
  if (owner === null) return
  const letter = taskLetter(task, about, { name: world.rules.serviceName, url: world.rules.baseUrl })
  await addMail(world, tx, { ...letter, to: owner.email, expiresAt: world.clock.now() + OF_USE_MS })
}
