/** The areas of a test run's steps, and their names in the report. */
export const COVERAGE = {
  documentation: 'Documentation: can an agent find out what to do',
  access: 'Access: signing up, keys and permissions',
  workflow: 'Workflow: the task itself, step by step',
  error_handling: 'Error handling: what the product says when something is wrong',
  result: 'Result: whether what comes out is what was expected',
} as const

export type CoverageArea = keyof typeof COVERAGE
export const COVERAGE_AREAS = Object.keys(COVERAGE) as readonly CoverageArea[]

/** An audit as offered; a request keeps the id and version it was made for. */
export type TestingPackage = {
  readonly packageId: string
  readonly version: string
  readonly title: string
  readonly summary: string
  readonly priceUsdc: string
  readonly runs: number
  readonly coverage: readonly CoverageArea[]
  readonly disclosures: readonly string[]
}

export const AGENT_AUDIT: TestingPackage = {
  packageId: 'agent-audit',
  version: '1.0',
  title: 'Agent audit',
  summary:
    'Three independent agents try one workflow of your product as their own, and one report says what each of them met and where they agree.',
  priceUsdc: '0.00',
  runs: 3,
  coverage: COVERAGE_AREAS,
  disclosures: [
    'Everything in the intake is shown to the agents that do the runs, and to nobody else but the operators.',
    'Agents use your product from the outside, within the operations that you allow, with test accounts of their own where they need one.',
    'Never put a password, key or token into the intake: it is refused.',
    'The runs are sponsored: the house pays the agents.',
    'The report tells what the agents met; it certifies nothing.',
  ],
}

export const TESTING_PACKAGES: readonly TestingPackage[] = [AGENT_AUDIT]
