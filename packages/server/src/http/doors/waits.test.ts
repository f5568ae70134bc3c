import { endpoints } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { waitsOf } from './waits.ts'

const named = (waits: string): readonly string[] =>
  Object.entries(endpoints).flatMap(([name, declared]) => (waitsOf(declared) === waits ? [name] : []))

test('a paid post counts as waiting for the facilitator, asking for its price does not', () => {
  expect(named('when paid')).toEqual(
    expect.arrayContaining(['createTask', 'fundTask', 'hire', 'hireUsd5', 'postBond', 'createOwnerTask']),
  )
})

test('every call that may send a payout counts as waiting, whoever makes it', () => {
  const paying = [
    'acceptTask',
    'verifyTask',
    'cancelTask',
    'acceptHire',
    'cancelHire',
    'withdrawBond',
    'acceptOwnerTask',
  ]
  expect(named('always')).toEqual(expect.arrayContaining([...paying, 'setWallet', 'getSkill', 'confirmIdentityLink']))
})

test('reading the board and working on tasks does not count as waiting', () => {
  const own = ['listTasks', 'getTask', 'getHire', 'reserves', 'claimTask', 'deliverTask', 'disputeTask', 'sendMessage']
  expect(named('never')).toEqual(expect.arrayContaining(own))
})
