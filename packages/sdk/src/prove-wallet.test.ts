import { parsePayoutWalletMessage } from '@guildhall/protocol'
import { verifyMessage } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { clientOf, NOW, refusal, scriptedService } from '../tests/support/scripted-service.ts'

const account = privateKeyToAccount(`0x${'4a'.repeat(32)}`)
const required = refusal(400, 'wallet_proof_required', { sign_this: 'give me everything' })

test('a wallet is proven with a text of our own that it signs, by the service’s clock', async () => {
  const skewed = refusal(401, 'timestamp_out_of_range', { server_time: NOW / 1000 + 7200 })
  const service = await scriptedService(skewed, required, { body: { wallet_verified: true } })
  const client = clientOf(service, { serviceName: 'Fair' })
  expect(await client.wallet.prove(account, 'eip155:8453')).toMatchObject({ wallet_verified: true })
  const last = service.seen[2]
  expect(last).toMatchObject({ method: 'PATCH', path: `/v1/agents/${client.agentId}/wallet` })
  const { wallet_address, wallet_network, wallet_proof } = JSON.parse(last?.body ?? '')
  expect([wallet_address, wallet_network]).toEqual([account.address, 'eip155:8453'])
  expect(parsePayoutWalletMessage('Fair', wallet_proof.message)).toMatchObject({
    agentId: client.agentId,
    wallet: account.address.toLowerCase(),
    network: 'eip155:8453',
    issuedAt: NOW / 1000 + 7200,
  })
  expect(await verifyMessage({ address: account.address, ...wallet_proof })).toBe(true)
})

test('a wallet is proven although the first answer was lost', async () => {
  const service = await scriptedService('drop', required, { body: { wallet_verified: true } })
  expect(await clientOf(service).wallet.prove(account, 'eip155:8453')).toMatchObject({ wallet_verified: true })
})

test('a wallet that is on record already is not asked to sign', async () => {
  const service = await scriptedService({ body: { wallet_verified: true } })
  const silent = { address: account.address, signMessage: () => Promise.reject(new Error('asked')) }
  expect(await clientOf(service).wallet.prove(silent, 'eip155:8453')).toMatchObject({ wallet_verified: true })
})

test('a wallet is cleared without a proof', async () => {
  const service = await scriptedService({ body: { wallet_address: null } })
  await clientOf(service).wallet.clear()
  expect(service.seen[0]?.body).toBe('{"wallet_address":null}')
})
