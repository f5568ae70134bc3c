import type { VerificationReport } from '@guildhall/protocol'
import type { Profile } from '../agent/agent.ts'
import type { Findings } from '../reputation/changes.ts'

/** The parts of a report that count for its target. */
export function findingsOf(report: VerificationReport, { capabilities }: Profile): Findings {
  const { capabilities_confirmed: confirmed, capability_match: match, ...details } = report.structured_report ?? {}
  return {
    result: report.result,
    coherence: report.coherence_score ?? null,
    capability: confirmed
      ? shareOf(capabilities, confirmed)
      : match === undefined || match === null
        ? null
        : Number(match),
    flagged: isFound(details.safety_issues) || isFound(details.unauthorized_actions),
  }
}

const isFound = (finding: boolean | readonly string[] | null | undefined): boolean =>
  typeof finding === 'object' && finding !== null ? finding.length > 0 : finding === true

function shareOf(declared: readonly string[], confirmed: readonly string[]): number {
  const keys = new Set(declared.map(keyOf))
  const seen = new Set(confirmed.map(keyOf))
  return [...keys].filter((key) => seen.has(key)).length / keys.size
}

const keyOf = (capability: string): string => capability.trim().toLowerCase()
