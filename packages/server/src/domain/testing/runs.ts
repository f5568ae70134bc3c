import { AGENT_AUDIT, limits, TESTING_PACKAGES, type TestingPackage, type TestingScope } from '@guildhall/protocol'
import type { Task } from '../task/task.ts'
import type { TestingRun } from './request.ts'

/** The package of a request, in its current version. */
export const packageOf = ({ package_id }: TestingScope): TestingPackage =>
  TESTING_PACKAGES.find(({ packageId }) => packageId === package_id) ?? AGENT_AUDIT

export type MissingRun = { readonly run: number; readonly attempt: number }

/** Runs without a task that may be posted, for the first time or again. */
export const missingRuns = (planned: number, runs: readonly TestingRun[]): readonly MissingRun[] =>
  numbers(planned).flatMap((run) => {
    const attempts = attemptsAt(runs, run)
    const isLost = attempts.every(({ outcome }) => outcome === 'lost')
    return isLost && attempts.length < limits.testing.attemptsPerRun ? [{ run, attempt: attempts.length + 1 }] : []
  })

/** Whether every run was accepted, or lost as often as it may be posted. */
export const haveEnded = (planned: number, runs: readonly TestingRun[]): boolean =>
  missingRuns(planned, runs).length === 0 && runs.every(({ outcome }) => outcome !== null)

/** A run's outcome when its task has ended; null while it has not. */
export function outcomeOf({ status }: Task): TestingRun['outcome'] {
  if (status === 'verified') return 'accepted'
  return status === 'cancelled' || status === 'expired' ? 'lost' : null
}

const attemptsAt = (runs: readonly TestingRun[], run: number) => runs.filter((one) => one.run === run)
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1)
