import { DAY } from '@guildhall/protocol'
import type { TestingRequest } from '../../domain/testing/request.ts'
import type { Transaction } from '../../ports/store.ts'
import type { World } from '../../ports/world.ts'
import { addMail } from '../mail/add-mail.ts'

const OF_USE_MS = 7 * DAY

/** Mails whoever asked for the test. */
export const mailOwner = (
  world: Pick<World, 'clock' | 'random'>,
  tx: Transaction,
  { email }: TestingRequest,
  words: { readonly subject: string; readonly text: string },
): Promise<void> => addMail(world, tx, { to: email, ...words, expiresAt: world.clock.now() + OF_USE_MS })
