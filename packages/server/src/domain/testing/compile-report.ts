import {
  COVERAGE,
  COVERAGE_AREAS,
  type CoverageArea,
  MATCHES,
  OUTCOMES,
  type Outcome,
  SEVERITIES,
  STEP_STATUSES,
  type TestingReport,
  type WorkerResult,
} from '@guildhall/protocol'

export type AcceptedRun = { readonly run: number; readonly result: WorkerResult }
type Finding = TestingReport['findings'][number]

/** Compiles the accepted runs: pure, the same for the same runs in any order. */
export function compileReport(scopeHash: string, runsPlanned: number, accepted: readonly AcceptedRun[]): TestingReport {
  const runs = [...accepted].sort((a, b) => a.run - b.run)
  const results = runs.map(({ result }) => result)
  const outcomes = counted(
    OUTCOMES,
    results.map(({ outcome }) => outcome),
  )
  const most = Math.max(...Object.values(outcomes))
  return {
    report_version: '1.0',
    scope_hash: scopeHash,
    runs_planned: runsPlanned,
    runs_accepted: runs.length,
    outcome: majority(outcomes, runs.length),
    outcomes,
    agreement: {
      unanimous: most === runs.length,
      share: Math.round((most / runs.length) * 100) / 100,
      expected_result: counted(
        MATCHES,
        results.map((result) => result.expected_output_comparison.matches),
      ),
    },
    coverage: COVERAGE_AREAS.map((area) => coverageOf(area, results)),
    findings: findingsOf(runs),
    runs: runs.map(runOf),
  }
}

function counted<T extends string>(kinds: readonly T[], found: readonly T[]): Record<T, number> {
  const counts = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<T, number>
  for (const kind of found) counts[kind]++
  return counts
}

const majority = (outcomes: Readonly<Record<Outcome, number>>, runs: number): Outcome | null =>
  OUTCOMES.find((outcome) => outcomes[outcome] * 2 > runs) ?? null

function coverageOf(area: CoverageArea, results: readonly WorkerResult[]): TestingReport['coverage'][number] {
  const steps = results.map((result) => result.steps.filter((step) => step.area === area))
  return {
    area,
    label: COVERAGE[area],
    runs: steps.filter((own) => own.some(({ status }) => status !== 'skipped')).length,
    steps: counted(
      STEP_STATUSES,
      steps.flat().map(({ status }) => status),
    ),
  }
}

/** Findings with the same area and title, ignoring case and spaces, are one, with the worst severity that a run gave it. */
function findingsOf(runs: readonly AcceptedRun[]): Finding[] {
  const found = new Map<string, Finding>()
  for (const { run, result } of runs) {
    for (const { area, finding } of result.steps) {
      if (!finding) continue
      const key = `${area} ${finding.title.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()}`
      const before = found.get(key)
      found.set(key, {
        severity: before && rank(before.severity) < rank(finding.severity) ? before.severity : finding.severity,
        title: before?.title ?? finding.title,
        details: [...new Set([...(before?.details ?? []), ...(finding.detail ? [finding.detail] : [])])],
        runs: [...new Set([...(before?.runs ?? []), run])],
        area,
      })
    }
  }
  return [...found.values()].sort((a, b) => rank(a.severity) - rank(b.severity) || b.runs.length - a.runs.length)
}

const rank = (severity: Finding['severity']): number => SEVERITIES.indexOf(severity)

function runOf({ run, result }: AcceptedRun): TestingReport['runs'][number] {
  const { started_at, finished_at } = result
  return {
    run,
    outcome: result.outcome,
    started_at,
    finished_at,
    duration_s: Math.round((Date.parse(finished_at) - Date.parse(started_at)) / 1000),
    runtime: result.environment.runtime,
    steps: result.steps.map(({ area, action, expected, observed, status, evidence }) => ({
      area,
      action,
      expected: expected ?? null,
      observed,
      status,
      evidence: [...(evidence ?? [])],
    })),
    evidence: result.evidence.map(({ id, kind, description, content, url, sha256 }) => ({
      id,
      kind,
      description,
      content: content ?? null,
      url: url ?? null,
      sha256: sha256 ?? null,
    })),
    output: result.output,
    comparison: result.expected_output_comparison,
  }
}
