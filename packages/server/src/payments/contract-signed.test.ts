import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tokenDomain, typedTransfer } from '@guildhall/protocol'
import { concat, encodeAbiParameters, encodeFunctionData, type LocalAccount, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { lower, openPlayChain, type PlayChain } from '../../tests/support/open-play-chain.ts'
import type { Hex } from '../domain/transfer/transfer.ts'
import { createEvmChain } from './evm-chain.ts'

const network = 'eip155:8453'
const text = 'Guildhall payout wallet\nNonce: 12345678'
const factoryAbi = parseAbi([
  'function createWallet(address owner, bytes32 salt) returns (address)',
  'function walletAddress(address owner, bytes32 salt) view returns (address)',
])
/** Where the sandbox's chains have their factory of smart wallets. */
const smartWalletFactoryAddress: Hex = '0x4a11000000000000000000000000000000006492'
const garbage = (bytes: number): Hex => `0x${'ab'.repeat(bytes)}`

let play: PlayChain
let owner: LocalAccount
let ownerSignature: Hex

beforeAll(async () => {
  play = await openPlayChain(network)
  owner = privateKeyToAccount(generatePrivateKey())
  ownerSignature = await owner.signMessage({ message: text })
})
afterEach(() => play.sandbox.failWith('ok'))
afterAll(() => play.close())

const signed = (address: Hex, signature: Hex, on = network) => play.evm.walletSigned(on, address, text, signature)

async function smartWallet(): Promise<{ address: Hex; create: Hex; wrap(signature: Hex): Hex }> {
  const args = [owner.address, generatePrivateKey()] as const
  const create = encodeFunctionData({ abi: factoryAbi, functionName: 'createWallet', args })
  const data = encodeFunctionData({ abi: factoryAbi, functionName: 'walletAddress', args })
  const word = (await play.call('eth_call', { to: smartWalletFactoryAddress, data }, 'latest')) as string
  const wrapped = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const
  return {
    address: `0x${word.slice(-40)}`,
    create,
    wrap: (signature) =>
      concat([encodeAbiParameters(wrapped, [smartWalletFactoryAddress, create, signature]), `0x${'6492'.repeat(16)}`]),
  }
}

/** A wallet whose code is given, byte by byte. */
async function walletWithCode(code: Hex): Promise<Hex> {
  const { address } = privateKeyToAccount(generatePrivateKey())
  await play.call('anvil_setCode', address, code)
  return lower(address)
}

describe('a text is signed by a plain key', () => {
  test('when its signature recovers to the address, on any network, without asking the chain', async () => {
    play.sandbox.failWith('down')
    for (const on of [network, 'eip155:1', 'eip155:10', 'eip155:42161']) {
      expect(await signed(owner.address, ownerSignature, on)).toBe('plain')
    }
  })

  test('and not when another key signed it, or another text', async () => {
    const other = privateKeyToAccount(generatePrivateKey())
    expect(await signed(other.address, ownerSignature)).toBe('no')
    expect(await signed(owner.address, await owner.signMessage({ message: `${text}9` }))).toBe('no')
  })

  test('and not when the signature is garbage of any length', async () => {
    for (const bytes of [1, 64, 65, 66, 8192, 8193]) expect(await signed(owner.address, garbage(bytes))).toBe('no')
    for (const odd of ['0x', '0xabc', '0xzz', 'abcd'] as Hex[]) expect(await signed(owner.address, odd)).toBe('no')
  })

  test('and not when it is only the short or the mirrored form of the signature', async () => {
    expect(await signed(owner.address, ownerSignature.slice(0, -2) as Hex)).toBe('no')
    const v = ownerSignature.endsWith('1b') ? '00' : '01'
    expect(await signed(owner.address, `${ownerSignature.slice(0, -2)}${v}` as Hex)).toBe('no')
  })
})

describe('a text is signed by a contract', () => {
  test('when the wallet at the address says so (ERC-1271), its signature bare or still wrapped', async () => {
    const wallet = await smartWallet()
    await play.send(smartWalletFactoryAddress, wallet.create)
    expect(await signed(wallet.address, ownerSignature)).toBe('contract')
    expect(await signed(wallet.address, wallet.wrap(ownerSignature))).toBe('contract')
    const other = privateKeyToAccount(generatePrivateKey())
    expect(await signed(wallet.address, await other.signMessage({ message: text }))).toBe('no')
  })

  test('when the wallet is yet to be deployed and its signature says how (ERC-6492), and it is not deployed by that', async () => {
    const wallet = await smartWallet()
    expect(await signed(wallet.address, wallet.wrap(ownerSignature))).toBe('contract')
    expect(await play.call('eth_getCode', wallet.address, 'latest')).toBe('0x')
    expect(await signed(wallet.address, ownerSignature)).toBe('no')
    expect(await signed(wallet.address, wallet.wrap(garbage(65)))).toBe('no')
  })

  test('and not when the wrapping is broken or is put around a plain key', async () => {
    const wallet = await smartWallet()
    expect(await signed(owner.address, wallet.wrap(ownerSignature))).toBe('no')
    for (const bytes of [1, 500, 8160]) {
      expect(await signed(wallet.address, concat([garbage(bytes), `0x${'6492'.repeat(16)}`]))).toBe('no')
    }
  })

  test.each<[string, Hex]>([
    ['reverts', '0x60006000fd'],
    ['answers nothing', '0x00'],
    ['answers with the wrong word', '0x63ffffffff60e01b60005260206000f3'],
    ['answers too short', '0x631626ba7e60e01b60005260036000f3'],
    ['runs for ever', '0x5b600056'],
    ['answers with far too much', '0x631626ba7e60e01b600052630fffffff6000f3'],
    ['has no valid code', '0xfe'],
  ])('and not when the wallet %s', async (_, code) => {
    expect(await signed(await walletWithCode(code), garbage(65))).toBe('no')
  })

  test('when a wallet says yes to everything, which harms nobody else', async () => {
    const easy = await walletWithCode('0x631626ba7e60e01b60005260206000f3')
    expect(await signed(easy, garbage(8192))).toBe('contract')
  })

  test('cannot be told while the node is away', async () => {
    const wallet = await smartWallet()
    play.sandbox.failWith('down')
    for (const signature of [wallet.wrap(ownerSignature), ownerSignature, garbage(65)]) {
      expect(await signed(wallet.address, signature)).toMatchObject({ kind: 'unreachable' })
    }
  })

  test('only on networks that are served', async () => {
    const wallet = await smartWallet()
    const signature = wallet.wrap(ownerSignature)
    expect(await signed(wallet.address, signature, 'eip155:1')).toBe('unserved')
    expect(await signed(wallet.address, ownerSignature, 'eip155:1')).toBe('no')
  })
})

describe('an authorization is signed by its payer', () => {
  test('when the plain key signed it under the token’s domain', async () => {
    const { authorization, signature } = await play.authorize()
    expect(await play.evm.payerSigned(authorization, signature)).toBe('plain')
    play.sandbox.failWith('down')
    expect(await play.evm.payerSigned(authorization, signature)).toBe('plain')
  })

  test('and not when any part of it was changed, or it is for another token or network', async () => {
    const { authorization, signature } = await play.authorize()
    for (const over of [
      { value: 1n },
      { to: authorization.from },
      { from: authorization.to },
      { validAfter: 1n },
      { validBefore: authorization.validBefore + 1n },
      { nonce: generatePrivateKey() },
      { asset: authorization.to },
      { network: 'eip155:137' },
    ]) {
      expect(await play.evm.payerSigned({ ...authorization, ...over }, signature)).toBe('no')
    }
    const domain = { name: 'USD Coin', version: '2' }
    const elsewhere = createEvmChain({ networks: [{ ...play.served, domain }], timeoutMs: 5_000 })
    expect(await elsewhere.payerSigned(authorization, signature)).toBe('no')
  })

  test('and not when it is good for a token of the payer’s own making', async () => {
    const { authorization } = await play.authorize({ asset: owner.address }, owner)
    const { domain } = play.served
    const typed = typedTransfer(authorization, tokenDomain({ network, asset: owner.address, ...domain }))
    expect(await play.evm.payerSigned(authorization, await owner.signTypedData(typed))).toBe('no')
  })

  test('when its smart wallet says so, deployed or not', async () => {
    const wallet = await smartWallet()
    const { authorization, signature } = await play.authorize({ from: wallet.address }, owner)
    expect(await play.evm.payerSigned(authorization, signature)).toBe('no')
    expect(await play.evm.payerSigned(authorization, wallet.wrap(signature))).toBe('contract')
    await play.send(smartWalletFactoryAddress, wallet.create)
    expect(await play.evm.payerSigned(authorization, signature)).toBe('contract')
  })
})

test('a node that does not answer holds up a few signature checks, not all of them, and no plain key', async () => {
  const silent: Server = createServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const rpcUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const evm = createEvmChain({ networks: [{ ...play.served, rpcUrl }], timeoutMs: 300 })
  const checks = Array.from({ length: 10 }, () => evm.walletSigned(network, owner.address, text, garbage(65)))
  expect(await checks[9]).toEqual({ kind: 'unreachable', cause: 'too many signature checks are under way' })
  expect(await evm.walletSigned(network, owner.address, text, ownerSignature)).toBe('plain')
  expect(await checks[0]).toEqual({ kind: 'unreachable', cause: 'eth_getCode: no answer within 300 ms' })
  await Promise.all(checks)
  silent.closeAllConnections()
  silent.close()
})
