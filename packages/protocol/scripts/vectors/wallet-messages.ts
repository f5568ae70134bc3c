import { encodeWalletMessage } from '../../src/signing/wallet-message-header.ts'
import { payoutWalletMessage, taskActionMessage } from '../../src/signing/wallet-statement.ts'
import { agent, stranger } from './keys.ts'

const service_name = 'Guildhall'
const issuedAt = 1_760_000_000
const end = {
  wallet: '0x52908400098527886e0f7030069857d2e4169ee7',
  network: 'eip155:8453',
  issuedAt,
  nonce: 'Nonce_-0001',
}
const task_id = 'task_0Uq7Zk3mX9bC2dE4fG6hJ8kL0mN1'
const payout = payoutWalletMessage(service_name, { agentId: agent.agentId, ...end })
const action = taskActionMessage(service_name, { taskId: task_id, action: 'cancel', ...end })

const expected = { service_name, wallet: end.wallet, network: end.network, now: issuedAt }
const forPayout = { ...expected, agent_id: agent.agentId }
const forAction = { ...expected, task_id, action: 'cancel' }

export function walletMessageVectors() {
  return {
    about:
      'Messages that wallets sign (EIP-191), and the reason why one is refused before its signature is looked at; null: it says what it must. now is unix seconds.',
    payout_wallet: [...payoutCases(), ...malformed(payout, forPayout)],
    task_action: [...actionCases(), ...malformed(action, forAction)],
    headers: [payout, action].map((message) => ({ message, 'X-Wallet-Message': encodeWalletMessage(message) })),
  }
}

function payoutCases() {
  return [
    { name: 'good', message: payout, expected: forPayout, reason: null },
    {
      name: 'expected address in capitals',
      message: payout,
      expected: { ...forPayout, wallet: end.wallet.toUpperCase().replace('0X', '0x') },
      reason: null,
    },
    { name: 'the last second', message: payout, expected: { ...forPayout, now: issuedAt + 900 }, reason: null },
    { name: 'a second too late', message: payout, expected: { ...forPayout, now: issuedAt + 901 }, reason: 'expired' },
    { name: 'a minute ahead', message: payout, expected: { ...forPayout, now: issuedAt - 60 }, reason: null },
    {
      name: 'too far ahead',
      message: payout,
      expected: { ...forPayout, now: issuedAt - 61 },
      reason: 'issued_in_future',
    },
    {
      name: 'another agent',
      message: payout,
      expected: { ...forPayout, agent_id: stranger.agentId },
      reason: 'agent_mismatch',
    },
    {
      name: 'another wallet',
      message: payout,
      expected: { ...forPayout, wallet: `0x${'1'.repeat(40)}` },
      reason: 'address_mismatch',
    },
    {
      name: 'another network',
      message: payout,
      expected: { ...forPayout, network: 'eip155:137' },
      reason: 'network_mismatch',
    },
    {
      name: 'all at once',
      message: payout,
      expected: { ...forPayout, agent_id: stranger.agentId, network: 'eip155:137', now: 0 },
      reason: 'agent_mismatch',
    },
    {
      name: 'no agent id',
      message: payout.replace(agent.agentId, 'somebody'),
      expected: forPayout,
      reason: 'agent_mismatch',
    },
    {
      name: 'no agent',
      message: payout.replace(agent.agentId, ''),
      expected: forPayout,
      reason: 'malformed_message',
    },
    { name: 'a task action message', message: action, expected: forPayout, reason: 'malformed_message' },
  ]
}

function actionCases() {
  return [
    { name: 'good', message: action, expected: forAction, reason: null },
    {
      name: 'another task',
      message: action,
      expected: { ...forAction, task_id: `${task_id}x` },
      reason: 'task_mismatch',
    },
    {
      name: 'another action',
      message: action,
      expected: { ...forAction, action: 'accept' },
      reason: 'action_mismatch',
    },
    {
      name: 'another wallet',
      message: action,
      expected: { ...forAction, wallet: `0x${'1'.repeat(40)}` },
      reason: 'address_mismatch',
    },
    { name: 'expired', message: action, expected: { ...forAction, now: issuedAt + 901 }, reason: 'expired' },
    {
      name: 'an unknown action',
      message: action.replace('cancel', 'publish'),
      expected: forAction,
      reason: 'malformed_message',
    },
  ]
}

function malformed<Expected>(good: string, forWhom: Expected) {
  const issued = '2025-10-09T08:53:20Z'
  const bent: Readonly<Record<string, string>> = {
    'a line break at the end': `${good}\n`,
    'one more line': `${good}\nNote: x`,
    CRLF: good.replaceAll('\n', '\r\n'),
    'another service': good.replace(service_name, 'Elsewhere'),
    'a checksummed address': good.replace(end.wallet, '0x52908400098527886E0F7030069857D2E4169EE7'),
    'a network that is no CAIP-2 id': good.replace('eip155:8453', 'base'),
    'a short nonce': good.replace('Nonce_-0001', 'short'),
    'milliseconds in Issued': good.replace(issued, '2025-10-09T08:53:20.000Z'),
    'an offset in Issued': good.replace(issued, '2025-10-09T08:53:20+00:00'),
    'a small z in Issued': good.replace(issued, '2025-10-09T08:53:20z'),
    '30 February': good.replace(issued, '2026-02-30T08:53:20Z'),
    '24:00': good.replace(issued, '2025-10-09T24:00:00Z'),
    'two spaces': good.replace('Wallet: ', 'Wallet:  '),
    'lines in another order': good.replace(/(Wallet.*)\n(Network.*)/, '$2\n$1'),
    empty: '',
  }
  return Object.entries(bent).map(([name, message]) => ({
    name,
    message,
    expected: forWhom,
    reason: 'malformed_message',
  }))
}
