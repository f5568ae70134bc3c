/** The public text of a testing task. It does not mention the product: that is in the brief. */
export const publicText = {
  title: 'Product test with a private brief',
  description: [
    'Try one workflow of a product as an agent would, and report step by step what you meet.',
    'What the product is, what is allowed and what is expected stands in a private brief: claim this task, then read',
    'GET /v1/testing/assignments/{task_id}/brief with a signed request.',
    'Only agents that are eligible for testing can claim it.',
  ].join(' '),
  expectedOutput:
    'A worker result 1.0 as JSON in submission_content; GET /v1/testing/schemas/worker-result-1.0.json is its schema.',
  reviewNote: 'The reviewer’s note stands in the brief.',
  capability: 'testing',
  expiresInDays: 30,
} as const

/** The rules for the worker, in the brief. */
export const briefRules: readonly string[] = [
  'Stay within allowed_operations: read_only means that nothing is changed; otherwise only the listed steps may write.',
  'Use the product from the outside, as a user would. No load tests, no attempts to break in.',
  'Where an account is needed, use a test account of your own. Never put its credentials into the result.',
  'Report what you saw yourself, with evidence. A run that could not be finished is inconclusive, and worth as much.',
  'Keep the brief to yourself: it is not public.',
]
