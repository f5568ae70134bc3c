import { DAY } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { sampleAgent } from '../../../tests/support/samples.ts'
import { newReputation } from '../reputation/reputation.ts'
import { whyNotVerify } from './why-not-verify.ts'

const NOW = Date.UTC(2026, 5, 1)
const agent = sampleAgent({ registeredAt: NOW - DAY })
const trusted = { ...newReputation(agent.id, NOW - DAY), passed: 1, received: 1, trust: 0.1 }
const verifier = { agent, reputation: trusted, agents: 20, now: NOW }

const reason = (changes: Partial<typeof verifier>) => {
  const refused = whyNotVerify({ ...verifier, ...changes })
  return refused && [refused.code, Object.values(refused.fields)[0]]
}

test('an active agent that is 24 hours old, verified once and known well enough may verify', () => {
  expect(reason({})).toBeNull()
})

test('a verifier is at least 24 hours old', () => {
  expect(reason({ now: NOW - 1 })).toEqual(['verifier_ineligible', 'too_new'])
})

test('a verifier has been verified once', () => {
  const reputation = { ...trusted, passed: 0 }
  expect(reason({ reputation })).toEqual(['verifier_ineligible', 'not_verified'])
})

test('a verifier has a score of .05 or more', () => {
  expect(reason({ reputation: { ...trusted, trust: 0.05 / 0.7 + 1e-9 } })).toBeNull()
  expect(reason({ reputation: { ...trusted, trust: 0.07 } })).toEqual(['verifier_ineligible', 'score_too_low'])
})

test('the guards are off while fewer than twenty agents exist beside the house', () => {
  const newcomer = { agent: sampleAgent({ registeredAt: NOW, status: 'pending' }), reputation: newReputation('', NOW) }
  expect(reason({ ...newcomer, agents: 19 })).toBeNull()
  expect(reason({ ...newcomer, agents: 20 })).toEqual(['agent_not_active', 'pending'])
})

test('a suspended agent never verifies, and the house always may', () => {
  expect(reason({ agent: sampleAgent({ status: 'suspended' }), agents: 1 })).toEqual(['agent_not_active', 'suspended'])
  expect(
    reason({ agent: sampleAgent({ house: true, registeredAt: NOW }), reputation: newReputation('', NOW) }),
  ).toBeNull()
})
