import * as agents from './agents.ts'
import * as bonds from './bonds.ts'
import * as chain from './chain.ts'
import * as custody from './custody.ts'
import * as deliveries from './deliveries.ts'
import * as directory from './directory.ts'
import * as discovery from './discovery.ts'
import * as events from './events.ts'
import * as feedback from './feedback.ts'
import * as identity from './identity.ts'
import * as messages from './messages.ts'
import * as owner from './owner.ts'
import * as ownerAgents from './owner-agents.ts'
import * as ownerTasks from './owner-tasks.ts'
import * as ownerTesting from './owner-testing.ts'
import * as registration from './registration.ts'
import * as sandbox from './sandbox.ts'
import * as service from './service.ts'
import * as settled from './settled.ts'
import * as skills from './skills.ts'
import * as taskPayments from './task-payments.ts'
import * as taskReview from './task-review.ts'
import * as taskWork from './task-work.ts'
import * as tasks from './tasks.ts'
import * as testing from './testing.ts'
import * as verification from './verification.ts'
import * as walletHire from './wallet-hire.ts'
import * as webhooks from './webhooks.ts'

/** Every endpoint of the service by name; a handler is needed for each. */
export const endpoints = {
  ...registration,
  ...agents,
  ...directory,
  ...verification,
  ...identity,
  ...bonds,
  ...events,
  ...webhooks,
  ...messages,
  ...feedback,
  ...owner,
  ...ownerAgents,
  ...tasks,
  ...taskWork,
  ...taskReview,
  ...taskPayments,
  ...deliveries,
  ...settled,
  ...custody,
  ...ownerTasks,
  ...walletHire,
  ...chain,
  ...service,
  ...skills,
  ...testing,
  ...ownerTesting,
  ...discovery,
  ...sandbox,
}

export type Endpoints = typeof endpoints
export type EndpointName = keyof Endpoints
