import { hashDocument, type TestingIntake, type TestingPackage, type TestingScope } from '@guildhall/protocol'

/** What an intake asks to be tested, for a package as it is now. */
export const scopeOf = (intake: TestingIntake, { packageId, version }: TestingPackage): TestingScope => ({
  package_id: packageId,
  package_version: version,
  product_name: intake.product_name,
  product_category: intake.product_category,
  product_url: intake.product_url,
  documentation_url: intake.documentation_url ?? null,
  workflow_objective: intake.workflow_objective,
  expected_result: intake.expected_result,
  target_environment: intake.target_environment,
  auth_mode: intake.auth_mode,
  allowed_operations: intake.allowed_operations,
  known_constraints: intake.known_constraints ?? null,
  suspected_failure: intake.suspected_failure ?? null,
})

export const scopeHashOf = (scope: TestingScope): string => hashDocument(scope)
