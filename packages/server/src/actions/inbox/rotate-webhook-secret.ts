import { limits } from '@guildhall/protocol'
import type { Caller } from '../../domain/caller.ts'
import type { Instant } from '../../domain/instant.ts'
import type { World } from '../../ports/world.ts'
import { signedChange } from '../signed-change.ts'

const SALT_BYTES = 32

export const newSalt = ({ random }: World): Uint8Array => random.bytes(SALT_BYTES)

/** A new secret, which is shown only now; the previous one also signs for a while. */
export async function rotateWebhookSecret(
  world: World,
  caller: Caller,
): Promise<{ readonly secret: string; readonly oldUntil: Instant | null }> {
  const salt = newSalt(world)
  const until = world.clock.now() + limits.webhook.oldSecretMs
  const hadOne = await signedChange(world, caller, (tx) => tx.rotateWebhookSalt(caller.agent.id, salt, until))
  return { secret: world.webhooks.secretText(caller.agent.id, salt), oldUntil: hadOne ? until : null }
}
