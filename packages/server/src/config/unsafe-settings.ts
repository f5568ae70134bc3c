import { isTestnet } from '@guildhall/protocol'
import type { Settings } from './settings.ts'

/** Settings that must never run in production. */
export function unsafeSettings(settings: Settings): string[] {
  if (settings.mode === 'sandbox') {
    return settings.sandboxControlUrl === null
      ? ['GUILDHALL_SANDBOX_CONTROL is missing: start the sandbox with npm start.']
      : []
  }
  const problems: string[] = []
  if (settings.sandboxControlUrl !== null)
    problems.push('GUILDHALL_SANDBOX_CONTROL is set: the play parts do not run in production.')
  if (settings.failpoint !== null) problems.push('GUILDHALL_FAILPOINT is set: failpoints are for tests.')
  if (settings.checkAnswers) problems.push('GUILDHALL_CHECK_ANSWERS is set: it is for tests.')
  const [first] = settings.registryKey
  if (first !== undefined && settings.registryKey.every((byte) => byte === first))
    problems.push('GUILDHALL_REGISTRY_KEY is not a random key.')
  for (const { network, domain } of settings.networks) {
    if (isTestnet(network))
      problems.push(`GUILDHALL_NETWORKS names ${network}, a test network: bounties are paid on mainnets only.`)
    if (/sandbox/i.test(domain.name))
      problems.push(`GUILDHALL_NETWORKS gives ${network} the play token of the sandbox.`)
  }
  return problems
}
