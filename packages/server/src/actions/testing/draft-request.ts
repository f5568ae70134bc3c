import { AGENT_AUDIT, type TestingIntake } from '@guildhall/protocol'
import { refuse } from '../../domain/refusal.ts'
import { findSecretFields } from '../../domain/testing/find-secret-fields.ts'
import type { TestingRequest } from '../../domain/testing/request.ts'
import { scopeHashOf, scopeOf } from '../../domain/testing/scope.ts'
import type { World } from '../../ports/world.ts'
import { newId } from '../new-id.ts'
import { canPayForTests } from './sign-house-deposit.ts'

/** Nobody may send secrets, and the house must be able to pay for the test. */
export function checkIntake(world: World, intake: TestingIntake): void {
  if (!canPayForTests(world)) refuse('testing_unavailable')
  const issues = findSecretFields(intake, 'intake')
  if (issues.length > 0) refuse('intake_invalid', { issues: [...issues] })
}

/** A request as it is asked for; nothing is written yet. */
export function draftRequest(world: World, email: string, intake: TestingIntake): TestingRequest {
  const scope = scopeOf(intake, AGENT_AUDIT)
  return { ...blankRequest(world, email), scope, scopeHash: scopeHashOf(scope) }
}

/** A request without a scope. */
export const blankRequest = (world: World, email: string) =>
  ({
    id: newId(world, 'treq'),
    status: 'unconfirmed',
    email,
    ownerId: null,
    retestOf: null,
    note: null,
    createdAt: world.clock.now(),
    confirmBy: null,
    confirmedAt: null,
    decidedAt: null,
    endedAt: null,
    postAt: null,
    trouble: null,
  }) as const
