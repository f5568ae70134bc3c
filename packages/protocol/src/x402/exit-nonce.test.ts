import { describe, expect, test } from 'vitest'
import { exitNonce, withdrawalNonce } from './exit-nonce.ts'

const deposit = {
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  from: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  nonce: `0x${'11'.repeat(32)}`,
}

describe('the exit nonce of a deposit', () => {
  test('is the keccak256 of five lines', () => {
    expect(exitNonce(deposit)).toBe('0xf35704953373c02ecff2e4d497f63e14e092a328b410b45bbf05385aa0a48bcb')
  })

  test('is the same however the hexadecimal digits are written', () => {
    const lower = { ...deposit, asset: deposit.asset.toLowerCase(), from: deposit.from.toLowerCase() }
    expect(exitNonce(lower)).toBe(exitNonce(deposit))
  })

  test('is another for another network, token, payer or nonce', () => {
    const others = [
      deposit,
      { ...deposit, network: 'eip155:137' },
      { ...deposit, asset: deposit.from },
      { ...deposit, from: deposit.asset },
      { ...deposit, nonce: `0x${'12'.repeat(32)}` },
    ]
    expect(new Set(others.map(exitNonce)).size).toBe(others.length)
  })
})

test('the nonce of a withdrawal is another for another agent or number, and nothing else changes it', () => {
  const [first, again, second, another] = [
    withdrawalNonce('agent_a', 1),
    withdrawalNonce('agent_a', 1),
    withdrawalNonce('agent_a', 2),
    withdrawalNonce('agent_b', 1),
  ]
  expect(again).toBe(first)
  expect(new Set([first, second, another]).size).toBe(3)
})
