import { agentsOf } from './agents.ts'
import { createCall } from './call.ts'
import { chainOf } from './chain.ts'
import { streamEvents } from './event-stream.ts'
import { eventsOf } from './events.ts'
import { feedbackOf } from './feedback.ts'
import { hiresOf } from './hires.ts'
import { type Identity, identityOf } from './identity.ts'
import { identityLinksOf } from './identity-links.ts'
import { messagesOf } from './messages.ts'
import { paymentsOf } from './payments.ts'
import { verifyReceipt } from './receipts.ts'
import { sandboxOf } from './sandbox.ts'
import { serverClock } from './server-clock.ts'
import { serviceOf } from './service.ts'
import { type GuildhallOptions, settingsFrom } from './settings.ts'
import { skillsOf } from './skills.ts'
import { tasksOf } from './tasks.ts'
import { testingOf } from './testing.ts'
import { walletOf } from './wallet-area.ts'
import { webhooksOf } from './webhooks.ts'

export type Guildhall = ReturnType<typeof createGuildhall>

/** A client of one service, for one agent or anonymous. */
export function createGuildhall(options: GuildhallOptions) {
  const settings = settingsFrom(options)
  const clock = serverClock(settings.clock)
  const call = createCall(settings, clock)
  const own = settings.key === undefined ? null : identityOf(settings.key)
  const identity = (): Identity => {
    if (own === null) throw new TypeError('This needs a key: give one to createGuildhall.')
    return own
  }
  return {
    /** The id of the agent whose key the client holds. */
    agentId: own?.agentId ?? null,
    /** Calls any endpoint by the name of its declaration. */
    call,
    agents: agentsOf(call, identity, clock),
    wallet: walletOf({ call, identity, clock, serviceName: settings.serviceName }),
    tasks: tasksOf(call, own),
    hires: hiresOf(call),
    events: eventsOf(call, identity, settings.sleep, (query, options) =>
      streamEvents({ settings, clock, identity: identity() }, query, options),
    ),
    webhooks: webhooksOf(call, identity),
    messages: messagesOf(call, identity),
    identity: identityLinksOf(call, identity, settings.sleep),
    chain: chainOf(call),
    receipts: { verify: verifyReceipt },
    payments: paymentsOf(call),
    feedback: feedbackOf(call),
    skills: skillsOf(call),
    testing: testingOf(call, own),
    service: serviceOf(call),
    sandbox: sandboxOf(call),
  } as const
}
