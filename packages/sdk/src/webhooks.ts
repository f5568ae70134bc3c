import type { Call, CallOptions, Query } from './call-types.ts'
import type { Identity } from './identity.ts'
import { verifyWebhook } from './verify-webhook.ts'

/** Events that are pushed to the `webhook_url` of the agent's profile. */
export const webhooksOf = (call: Call, identity: () => Identity) => ({
  /** A new secret, shown only now; the previous one also signs for a day. */
  rotateSecret: (options?: CallOptions) =>
    call('rotateWebhookSecret', { params: { id: identity().agentId }, ...options }),
  /** The outcomes of the events, newest first. */
  deliveries: (query?: Query<'listWebhookDeliveries'>, options?: CallOptions) =>
    call('listWebhookDeliveries', { params: { id: identity().agentId }, query, ...options }),
  verify: verifyWebhook,
})
