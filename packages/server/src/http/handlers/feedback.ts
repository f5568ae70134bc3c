import { limits } from '@guildhall/protocol'
import { feedbackLimit, giveFeedback } from '../../actions/give-feedback.ts'
import { isoTime } from '../../domain/instant.ts'
import type { World } from '../../ports/world.ts'
import { networkOf } from '../client-ip.ts'
import type { CallContext, Handlers } from '../handler.ts'
import { standingHeader } from '../rate-limit.ts'

export function feedbackHandlers(world: World): Pick<Handlers, 'giveFeedback'> {
  return {
    async giveFeedback({ body, caller, held, context }) {
      const by = caller ?? { network: networkOf(context.ip), held }
      const { feedback, standing } = await giveFeedback(world, by, {
        scope: body.scope,
        taskId: body.taskId ?? null,
        environment: body.environment,
        expectedBehavior: body.expectedBehavior,
        actualBehavior: body.actualBehavior,
        stepsToReproduce: body.stepsToReproduce,
        errorCodes: body.errorCodes ?? [],
        requestIds: body.requestIds ?? [],
        suggestedImprovement: body.suggestedImprovement ?? null,
        skillVersion: body.skillVersion,
        cliVersion: body.cliVersion ?? versionIn(context, 'x-service-cli-version'),
      })
      return {
        headers: standingHeader(feedbackLimit(caller !== null), standing),
        body: {
          ok: true,
          feedback_id: feedback.id,
          status: feedback.status,
          anonymous: feedback.agentId === null,
          created_at: isoTime(feedback.createdAt),
        },
      }
    },
  }
}

/** An invalid header does not refuse the call as a body would: a version that is too long is ignored. */
function versionIn({ header }: CallContext, name: string): string | null {
  const text = header(name)
  return text === null || text.length > limits.feedback.version ? null : text
}
