import { ONE_USDC } from '@guildhall/protocol'
import { type Address, encodeFunctionData, type Hex, serializeErc6492Signature } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { smartWalletFactoryAddress, testSmartWalletFactoryAbi } from '../chains/contracts.ts'
import { type Bench, startBench } from './test-bench.ts'

let bench: Bench
let wallet: Address
let creation: readonly [Address, Hex]

beforeAll(async () => {
  bench = await startBench()
  creation = [bench.payer.address, `0x${'07'.repeat(32)}`]
  wallet = (await bench.client.readContract({
    address: smartWalletFactoryAddress,
    abi: testSmartWalletFactoryAbi,
    functionName: 'walletAddress',
    args: creation,
  })) as Address
  await bench.chain.mint(wallet, 10n * ONE_USDC)
})

afterAll(() => bench.stop())

test('a smart wallet of a factory that is not on the list is refused', async () => {
  const { body } = await bench.payment({ wallet: { address: wallet, wrap: wrapFor(bench.chain.usdc) } })
  expect(await bench.call('verify', body)).toMatchObject({
    body: { isValid: false, invalidReason: expect.stringContaining('factory_not_allowed') },
  })
})

test('a smart wallet pays before it exists, and then again', async () => {
  for (const _ of ['counterfactual', 'deployed']) {
    const { payTo, body } = await bench.payment({
      wallet: { address: wallet, wrap: wrapFor(smartWalletFactoryAddress) },
    })
    expect(await bench.call('verify', body)).toMatchObject({ body: { isValid: true } })
    expect(await bench.call('settle', body)).toMatchObject({ body: { success: true } })
    expect(await bench.balanceOf(payTo)).toBe(ONE_USDC)
  }
  expect(await bench.client.getCode({ address: wallet })).toMatch(/^0x[0-9a-f]{2}/)
})

function wrapFor(factory: Address) {
  const data = encodeFunctionData({ abi: testSmartWalletFactoryAbi, functionName: 'createWallet', args: creation })
  return (signature: Hex) => serializeErc6492Signature({ address: factory, data, signature })
}
