import type { SandboxControl } from '../../ports/sandbox-control.ts'
import type { World } from '../../ports/world.ts'
import type { KeptDocuments } from '../documents/kept-documents.ts'
import type { Handlers } from '../handler.ts'
import type { EventStreams } from '../streams/event-streams.ts'
import { agentHandlers } from './agents.ts'
import { bondHandlers } from './bonds.ts'
import { chainHandlers } from './chain.ts'
import { custodyHandlers } from './custody.ts'
import { deliveryHandlers } from './deliveries.ts'
import { directoryHandlers } from './directory.ts'
import { discoveryHandlers } from './discovery.ts'
import { eventHandlers } from './events.ts'
import { feedbackHandlers } from './feedback.ts'
import { identityHandlers } from './identity.ts'
import { messageHandlers } from './messages.ts'
import { ownerAgentHandlers } from './owner-agents.ts'
import { ownerTaskHandlers } from './owner-tasks.ts'
import { ownerTestingHandlers } from './owner-testing.ts'
import { ownerHandlers } from './owners.ts'
import { paymentHandlers } from './payments.ts'
import { reviewHandlers } from './review.ts'
import { sandboxHandlers } from './sandbox.ts'
import { serviceHandlers } from './service.ts'
import { settledHandlers } from './settled.ts'
import { skillHandlers } from './skills.ts'
import { taskHandlers } from './tasks.ts'
import { testingHandlers } from './testing.ts'
import { verificationHandlers } from './verification.ts'
import { walletHireHandlers } from './wallet-hire.ts'
import { webhookHandlers } from './webhooks.ts'

/** A handler for every endpoint: one that is missing does not compile. */
export const createHandlers = (
  world: World,
  sandbox: SandboxControl | null,
  streams: EventStreams,
  documents: KeptDocuments,
): Handlers => ({
  ...agentHandlers(world),
  ...directoryHandlers(world),
  ...verificationHandlers(world),
  ...identityHandlers(world),
  ...bondHandlers(world),
  ...eventHandlers(world, streams),
  ...webhookHandlers(world),
  ...messageHandlers(world),
  ...feedbackHandlers(world),
  ...ownerHandlers(world),
  ...ownerAgentHandlers(world),
  ...taskHandlers(world, documents),
  ...settledHandlers(world),
  ...custodyHandlers(world),
  ...deliveryHandlers(world),
  ...reviewHandlers(world),
  ...paymentHandlers(world),
  ...walletHireHandlers(world),
  ...ownerTaskHandlers(world),
  ...chainHandlers(world),
  ...skillHandlers(world),
  ...testingHandlers(world),
  ...ownerTestingHandlers(world),
  ...serviceHandlers(world, sandbox !== null),
  ...discoveryHandlers(world, sandbox !== null),
  ...(sandbox ? sandboxHandlers(world, sandbox) : {}),
})
