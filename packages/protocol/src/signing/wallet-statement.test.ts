import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { generateKey } from './ed25519.ts'
import { judgePayoutWalletMessage, judgeTaskActionMessage } from './judge-statement.ts'
import { agentIdOf, encodePublicKey } from './public-key.ts'
import { parseIssued } from './statement-lines.ts'
import {
  parsePayoutWalletMessage,
  parseTaskActionMessage,
  payoutWalletMessage,
  TASK_ACTIONS,
  taskActionMessage,
} from './wallet-statement.ts'

const service = 'Guildhall'
const agentId = agentIdOf(encodePublicKey(generateKey(new Uint8Array(32).fill(6)).publicKey))
const end = {
  wallet: '0x52908400098527886e0f7030069857d2e4169ee7',
  network: 'eip155:8453',
  issuedAt: Date.UTC(2026, 1, 28, 12, 0, 0) / 1000,
  nonce: 'k3yN0nce_-',
}
const taskId = 'task_0abcdefghijklmnopqrstuvwxyzAB'
const payout = payoutWalletMessage(service, { agentId, ...end })
const action = taskActionMessage(service, { taskId, action: 'accept', ...end })

describe('the payout wallet message', () => {
  test('has exactly the six lines of the specification', () => {
    expect(payout).toBe(
      [
        'Guildhall payout wallet',
        `Agent: ${agentId}`,
        'Wallet: 0x52908400098527886e0f7030069857d2e4169ee7',
        'Network: eip155:8453',
        'Issued: 2026-02-28T12:00:00Z',
        'Nonce: k3yN0nce_-',
      ].join('\n'),
    )
    expect(parsePayoutWalletMessage(service, payout)).toEqual({ agentId, ...end })
  })

  test('writes the address in lower case and reads no other', () => {
    const checksummed = '0x52908400098527886E0F7030069857D2E4169EE7'
    expect(payoutWalletMessage(service, { agentId, ...end, wallet: checksummed })).toBe(payout)
    expect(parsePayoutWalletMessage(service, payout.replace(end.wallet, checksummed))).toBeNull()
  })

  const bent: Readonly<Record<string, string>> = {
    empty: '',
    'other service': payout.replace('Guildhall', 'Somewhere'),
    'the other message': action,
    'line break at the end': `${payout}\n`,
    'one more line': `${payout}\nAmount: all`,
    'a line less': payout.split('\n').slice(0, 5).join('\n'),
    CRLF: payout.replaceAll('\n', '\r\n'),
    'lines in another order': payout.replace(/(Wallet.*)\n(Network.*)/, '$2\n$1'),
    'space at a line end': payout.replace('8453', '8453 '),
    'two spaces after a label': payout.replace('Agent: ', 'Agent:  '),
    'small label': payout.replace('Agent:', 'agent:'),
    'no agent': payout.replace(agentId, ''),
    'upper-case 0X': payout.replace('0x', '0X'),
    'short address': payout.replace('9ee7', '9ee'),
    'no CAIP-2 network': payout.replace('eip155:8453', 'base'),
    'short nonce': payout.replace('k3yN0nce_-', 'k3yN0nc'),
    'long nonce': payout.replace('k3yN0nce_-', 'k'.repeat(65)),
    'nonce with a space': payout.replace('k3yN0nce_-', 'k3y N0nce'),
    'longer than 1000 characters': payout.replace('k3yN0nce_-', 'k'.repeat(1000)),
  }
  test.each(Object.entries(bent))('is malformed: %s', (_, message) => {
    expect(parsePayoutWalletMessage(service, message)).toBeNull()
  })
})

describe('Issued', () => {
  test('is a real date as YYYY-MM-DDTHH:MM:SSZ', () => {
    expect(parseIssued('2024-02-29T23:59:59Z')).toBe(Date.UTC(2024, 1, 29, 23, 59, 59) / 1000)
    const bad = ['2026-02-29T12:00:00Z', '2026-02-30T12:00:00Z', '2026-13-01T12:00:00Z', '2026-01-01T24:00:00Z']
    bad.push('2026-01-01T12:60:00Z', '2026-01-01T12:00:60Z', '2026-01-01T12:00:00.000Z', '2026-01-01T12:00:00+00:00')
    bad.push(
      '2026-01-01T12:00:00z',
      '2026-01-01 12:00:00Z',
      '2026-01-01T12:00Z',
      '+02026-01-01T12:00:00Z',
      '2026-1-1T12:00:00Z',
      '',
    )
    for (const text of bad) expect(parseIssued(text), text).toBeNull()
  })
})

describe('the task action message', () => {
  test('has exactly its seven lines', () => {
    expect(action).toBe(
      [
        'Guildhall task action',
        `Task: ${taskId}`,
        'Action: accept',
        'Wallet: 0x52908400098527886e0f7030069857d2e4169ee7',
        'Network: eip155:8453',
        'Issued: 2026-02-28T12:00:00Z',
        'Nonce: k3yN0nce_-',
      ].join('\n'),
    )
    expect(parseTaskActionMessage(service, action)).toEqual({ taskId, action: 'accept', ...end })
    for (const bad of [
      action.replace('accept', 'publish'),
      action.replace('accept', 'Accept'),
      `${action}\n`,
      payout,
    ]) {
      expect(parseTaskActionMessage(service, bad)).toBeNull()
    }
  })
})

test('whatever is written is read back, and whatever is read is written back', () => {
  const wallet = fc.stringMatching(/^0x[0-9a-f]{40}$/)
  const nonce = fc.stringMatching(/^[A-Za-z0-9_-]{8,64}$/)
  const issuedAt = fc.integer({ min: 0, max: 253_402_300_799 })
  const ends = fc.record({
    wallet,
    nonce,
    issuedAt,
    network: fc.constantFrom('eip155:1', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'),
  })
  const statements = fc
    .tuple(ends, fc.constantFrom(...TASK_ACTIONS))
    .map(([e, verb]) => ({ taskId, action: verb, ...e }))
  fc.assert(
    fc.property(statements, (statement) => {
      expect(parseTaskActionMessage(service, taskActionMessage(service, statement))).toEqual(statement)
    }),
  )
  fc.assert(
    fc.property(fc.nat({ max: payout.length }), fc.string({ maxLength: 3 }), fc.nat({ max: 3 }), (at, put, cut) => {
      const changed = payout.slice(0, at) + put + payout.slice(at + cut)
      const read = parsePayoutWalletMessage(service, changed)
      return read === null || payoutWalletMessage(service, read) === changed
    }),
    { numRuns: 500 },
  )
})

describe('judging a payout wallet message', () => {
  const nowMs = end.issuedAt * 1000
  const expected = { serviceName: service, agentId, wallet: end.wallet, network: end.network, nowMs }
  const judged = (message: string, change: Partial<typeof expected> = {}) => {
    const judgement = judgePayoutWalletMessage(message, { ...expected, ...change })
    return 'reason' in judgement ? judgement.reason : 'good'
  }

  test('says what is wrong, in the order of the specification', () => {
    const agent = { agentId: agentIdOf(encodePublicKey(generateKey(new Uint8Array(32).fill(8)).publicKey)) }
    const wallet = { wallet: `0x${'1'.repeat(40)}` }
    const network = { network: 'eip155:137' }
    const late = { nowMs: nowMs + 901_000 }
    expect(judged(payout)).toBe('good')
    expect(judged(`${payout} `, { ...agent, ...wallet, ...network, ...late })).toBe('malformed_message')
    expect(judged(payout, { ...agent, ...wallet, ...network, ...late })).toBe('agent_mismatch')
    expect(judged(payout, { ...wallet, ...network, ...late })).toBe('address_mismatch')
    expect(judged(payout, { ...network, ...late })).toBe('network_mismatch')
    expect(judged(payout, late)).toBe('expired')
  })

  test('names whoever it likes in the agent’s line: another than the agent’s own id is another agent', () => {
    for (const other of ['ag_x', 'somebody', 'An Agent by Name', `${agentId}x`])
      expect(judged(payout.replace(agentId, other)), other).toBe('agent_mismatch')
  })

  test('is valid 15 minutes after Issued, the last second included', () => {
    expect(judged(payout, { nowMs: nowMs + 900_000 })).toBe('good')
    expect(judged(payout, { nowMs: nowMs + 900_999 })).toBe('good')
    expect(judged(payout, { nowMs: nowMs + 901_000 })).toBe('expired')
  })

  test('may be issued 60 seconds ahead of our clock', () => {
    expect(judged(payout, { nowMs: nowMs - 60_000 })).toBe('good')
    expect(judged(payout, { nowMs: nowMs - 61_000 })).toBe('issued_in_future')
  })

  test('compares the address without regard to case', () => {
    expect(judged(payout, { wallet: '0x52908400098527886E0F7030069857D2E4169EE7' })).toBe('good')
  })
})

test('judging a task action message names task and action too', () => {
  const expected = {
    serviceName: service,
    taskId,
    action: 'accept',
    wallet: end.wallet,
    network: end.network,
    nowMs: end.issuedAt * 1000,
  } as const
  expect(judgeTaskActionMessage(action, expected)).toEqual({ statement: { taskId, action: 'accept', ...end } })
  expect(judgeTaskActionMessage(action, { ...expected, taskId: 'task_other', action: 'cancel' })).toEqual({
    reason: 'task_mismatch',
  })
  expect(judgeTaskActionMessage(action, { ...expected, action: 'cancel' })).toEqual({ reason: 'action_mismatch' })
  expect(judgeTaskActionMessage(payout, expected)).toEqual({ reason: 'malformed_message' })
})
