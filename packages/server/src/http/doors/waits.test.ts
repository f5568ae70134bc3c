import { endpoints } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { waitsOf } from './waits.ts'

const named = (waits: string): readonly string[] =>
  Object.entries(endpoints).flatMap(([name, declared]) => (waitsOf(declared) === waits ? [name] : []))

test('a deposit waits for the facilitator, the price of it for nobody', () => {
  expect(named('when paid')).toEqual(
    expect.arrayContaining(['createTask', 'fundTask', 'hire', 'hireUsd5', 'postBond', 'createOwnerTask']),
  )
})

test('whatever may send money on waits for it, whoever asks', () => {
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

test('reading the board and working on tasks waits for nobody outside', () => {
  const own = ['listTasks', 'getTask', 'getHire', 'reserves', 'claimTask', 'deliverTask', 'disputeTask', 'sendMessage']
  expect(named('never')).toEqual(expect.arrayContaining(own))
})
