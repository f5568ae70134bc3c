import { ownAgent } from '../../actions/agents/own-agent.ts'
import { rotateWebhookSecret } from '../../actions/inbox/rotate-webhook-secret.ts'
import { positionOf } from '../../domain/inbox/cursor.ts'
import { isoTime, isoTimeOrNull } from '../../domain/instant.ts'
import type { Delivery } from '../../domain/webhook/webhook.ts'
import type { World } from '../../ports/world.ts'
import type { Handlers } from '../handler.ts'

const OWN_WEBHOOK = 'A webhook is seen and changed by its own agent only.'

export function webhookHandlers(world: World): Pick<Handlers, 'rotateWebhookSecret' | 'listWebhookDeliveries'> {
  return {
    async rotateWebhookSecret({ params, caller }) {
      await ownAgent(world, caller, params.id, OWN_WEBHOOK)
      const { secret, oldUntil } = await rotateWebhookSecret(world, caller)
      return { body: { ok: true, secret, old_secret_until: isoTimeOrNull(oldUntil) } }
    },

    async listWebhookDeliveries({ params, query, caller }) {
      const agentId = await ownAgent(world, caller, params.id, OWN_WEBHOOK)
      const found = await world.store.webhookDeliveries({
        agentId,
        status: query.status ?? null,
        before: query.before === undefined ? null : positionOf(query.before, 'before'),
        limit: query.limit + 1,
      })
      const page = found.slice(0, query.limit)
      const more = found.length > page.length
      return {
        body: {
          ok: true,
          webhook_url: caller.agent.profile.webhookUrl,
          deliveries: page.map(deliveryView),
          next_cursor: more ? String(page.at(-1)?.position ?? 0) : null,
        },
      }
    },
  }
}

const deliveryView = (delivery: Delivery) => ({
  event_id: delivery.eventId,
  event_type: delivery.eventType,
  cursor: String(delivery.position),
  status: delivery.status,
  attempts: delivery.attempts,
  last_error: delivery.lastError,
  next_attempt_at: isoTimeOrNull(delivery.nextAttemptAt),
  ended_at: isoTimeOrNull(delivery.endedAt),
  created_at: isoTime(delivery.createdAt),
})
