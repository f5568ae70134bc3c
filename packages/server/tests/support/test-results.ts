import type { TestingIntake, WorkerResult } from '@guildhall/protocol'

/** An intake whose every text is a marker: where one shows up, something private has leaked. */
export const anIntake: TestingIntake = {
  product_name: 'Zanzibar Ledger API',
  product_category: 'api',
  product_url: 'https://zanzibar.example/api',
  documentation_url: 'https://zanzibar.example/docs',
  workflow_objective: 'Open a zanzibar account and book one posting.',
  expected_result: 'The zanzibar balance shows the posting.',
  target_environment: 'The public zanzibar sandbox.',
  auth_mode: 'worker_owned_test_account',
  allowed_operations: { read_only: false, sandbox_write_steps: ['Create one zanzibar posting.'] },
  known_constraints: 'Zanzibar is slow on Sundays.',
  suspected_failure: undefined,
  authority_declaration: true,
  worker_disclosure_acknowledged: true,
}

type Assignment = { readonly assignment_id: string; readonly scope_hash: string }

/** A result that satisfies the contract, with what a test wants to be different. */
export const aResult = (
  { assignment_id, scope_hash }: Assignment,
  changes: Readonly<Record<string, unknown>> = {},
): WorkerResult => ({
  schema_version: '1.0',
  assignment_id,
  scope_hash,
  started_at: '2026-01-31T12:00:00.000Z',
  finished_at: '2026-01-31T12:10:00.000Z',
  outcome: 'product_success',
  environment: { runtime: 'a test agent' },
  steps: [
    { area: 'documentation', action: 'Read the docs.', observed: 'They were clear.', status: 'passed' },
    {
      area: 'workflow',
      action: 'Booked a posting.',
      observed: 'It took two tries.',
      status: 'failed',
      finding: { severity: 'medium', title: 'First posting fails', detail: 'The zanzibar answer was a 500.' },
      evidence: ['answer'],
    },
  ],
  evidence: [{ id: 'answer', kind: 'response', description: 'The 500.', content: 'Internal error' }],
  output: 'Balance 1.',
  expected_output_comparison: { matches: 'yes', explanation: 'The balance shows it.' },
  attestations: { stayed_within_scope: true, own_observations: true, no_secrets_included: true },
  ...changes,
})
