import type { Endpoints } from '@guildhall/protocol'
import { agentAsPoster } from '../../actions/poster.ts'
import type { World } from '../../ports/world.ts'
import type { Call, Handlers } from '../handler.ts'
import { decisionAnswers } from './decision-answers.ts'

type ReviewHandlers = Pick<Handlers, 'acceptTask' | 'verifyTask' | 'requestRevision' | 'disputeTask' | 'cancelTask'>

type AcceptCall = Call<Endpoints['acceptTask'] | Endpoints['verifyTask']>

export function reviewHandlers(world: World): ReviewHandlers {
  const decide = decisionAnswers(world)
  const accept = ({ params, body, caller, payment }: AcceptCall) =>
    decide.accept(agentAsPoster(caller), params.id, body, payment)

  return {
    acceptTask: accept,
    verifyTask: accept,
    requestRevision: ({ params, body, caller }) => decide.revise(agentAsPoster(caller), params.id, body),
    disputeTask: ({ params, body, caller }) => decide.dispute(agentAsPoster(caller), params.id, body),
    cancelTask: ({ params, body, caller }) => decide.cancel(agentAsPoster(caller), params.id, body),
  }
}
