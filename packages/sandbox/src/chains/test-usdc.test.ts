import {
  concat,
  domainSeparator,
  encodeFunctionData,
  getContract,
  type Hex,
  keccak256,
  multicall3Abi,
  numberToHex,
  pad,
  parseAbi,
  parseEventLogs,
  parseSignature,
  serializeErc6492Signature,
  serializeSignature,
  toHex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  multicall3Address,
  nativeMirrorAddress,
  smartWalletFactoryAddress,
  testSmartWalletAbi,
  testSmartWalletFactoryAbi,
  testUsdcAbi,
  usdcDomain,
} from './contracts.ts'
import {
  type Authorization,
  authorizationTypedData,
  cancelData,
  randomNonce,
  settleData,
  signCancellation,
} from './test-authorization.ts'
import { type Bench, openBench, richAccount } from './test-bench.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.close())

const payTo = privateKeyToAccount(generatePrivateKey()).address
const relayer = richAccount(3)

async function payer(atomic = 10_000_000n) {
  const account = privateKeyToAccount(generatePrivateKey())
  if (atomic > 0n) await bench.chain().mint(account.address, atomic)
  return account
}

const authorize = (from: Hex, more: Partial<Authorization> = {}): Authorization => ({
  from,
  to: payTo,
  value: 1_000_000n,
  validAfter: 0n,
  validBefore: BigInt(bench.now() + 600),
  nonce: randomNonce(),
  ...more,
})

const send = (data: Hex, from = relayer.address) =>
  bench.rpc('eth_sendTransaction', { from, to: bench.chain().usdc, data, gas: '0x7a120' }) as Promise<Hex>
const simulate = (data: Hex, from = relayer.address) =>
  bench.rpc('eth_call', { from, to: bench.chain().usdc, data }, 'latest')
const receipt = (hash: Hex) => bench.client().getTransactionReceipt({ hash })
const token = () => getContract({ address: bench.chain().usdc, abi: testUsdcAbi, client: bench.client() })
const balanceOf = (address: Hex) => token().read.balanceOf?.([address]) as Promise<bigint>
const logNames = async (hash: Hex) =>
  parseEventLogs({ abi: testUsdcAbi, logs: (await receipt(hash)).logs }).map((log) => log.eventName)

describe('the play dollar', () => {
  test('has the address of Base USDC, six decimals and a domain of its own', async () => {
    expect(bench.chain().usdc).toBe('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913')
    expect(await token().read.name?.()).toBe('Guildhall Sandbox USDC')
    expect(await token().read.version?.()).toBe('2')
    expect(await token().read.symbol?.()).toBe('USDC')
    expect(await token().read.decimals?.()).toBe(6)
    const domain = { ...usdcDomain, chainId: 8453, verifyingContract: bench.chain().usdc }
    expect(await token().read.DOMAIN_SEPARATOR?.()).toBe(domainSeparator({ domain }))
  })

  test('moves and approves as an ERC-20 does', async () => {
    await bench.chain().mint(relayer.address, 5n)
    const spender = richAccount(4).address
    await send(encodeFunctionData({ abi: testUsdcAbi, functionName: 'approve', args: [spender, 3n] }))
    const take = encodeFunctionData({
      abi: testUsdcAbi,
      functionName: 'transferFrom',
      args: [relayer.address, spender, 2n],
    })
    await send(take, spender)
    expect(await balanceOf(spender)).toBe(2n)
    await expect(simulate(take, spender)).rejects.toThrow('ERC20: transfer amount exceeds allowance')
    const tooMuch = encodeFunctionData({ abi: testUsdcAbi, functionName: 'transfer', args: [spender, 4n] })
    await expect(simulate(tooMuch)).rejects.toThrow('ERC20: transfer amount exceeds balance')
  })
})

describe('an authorization', () => {
  test.each([
    ['bytes', false],
    ['v, r and s', true],
  ])('settles once with a signature as %s, its Transfer right after AuthorizationUsed', async (_, split) => {
    const account = await payer()
    const authorization = authorize(account.address)
    const signature = await account.signTypedData(authorizationTypedData(bench.chain(), authorization))
    const data = settleData(authorization, signature, 'transferWithAuthorization', split)
    const before = await balanceOf(payTo)
    const hash = await send(data)
    expect(await logNames(hash)).toEqual(['AuthorizationUsed', 'Transfer'])
    expect(await balanceOf(payTo)).toBe(before + 1_000_000n)
    expect(await token().read.authorizationState?.([account.address, authorization.nonce])).toBe(true)
    await expect(simulate(data)).rejects.toThrow('FiatTokenV2: authorization is used or canceled')
    expect((await receipt(await send(data))).status).toBe('reverted')
  })

  test.each([false, true])('cannot settle once it is cancelled', async (split) => {
    const account = await payer()
    const authorization = authorize(account.address)
    const signature = await account.signTypedData(authorizationTypedData(bench.chain(), authorization))
    const cancellation = await signCancellation(bench.chain(), account, authorization.nonce)
    const cancel = cancelData(account.address, authorization.nonce, cancellation, split)
    expect(await logNames(await send(cancel))).toEqual(['AuthorizationCanceled'])
    await expect(simulate(settleData(authorization, signature))).rejects.toThrow('is used or canceled')
    await expect(simulate(cancel)).rejects.toThrow('is used or canceled')
  })

  test('is received by its payee alone', async () => {
    const account = await payer()
    const payee = richAccount(5).address
    const authorization = authorize(account.address, { to: payee })
    const typedData = authorizationTypedData(bench.chain(), authorization, 'ReceiveWithAuthorization')
    const data = settleData(authorization, await account.signTypedData(typedData), 'receiveWithAuthorization')
    await expect(simulate(data)).rejects.toThrow('FiatTokenV2: caller must be the payee')
    expect(await logNames(await send(data, payee))).toEqual(['AuthorizationUsed', 'Transfer'])
  })

  const refused = async (
    more: Partial<Authorization>,
    alter: (signature: Hex) => Hex = (it) => it,
    atomic?: bigint,
  ) => {
    const account = await payer(atomic)
    const authorization = authorize(account.address, more)
    const signature = await account.signTypedData(authorizationTypedData(bench.chain(), authorization))
    return simulate(settleData(authorization, alter(signature)))
  }
  const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

  test('is refused with the reasons that USDC gives', async () => {
    const { time } = await bench.head()
    await expect(refused({ validBefore: BigInt(time) })).rejects.toThrow('FiatTokenV2: authorization is expired')
    await expect(refused({ validAfter: BigInt(time + 60) })).rejects.toThrow(
      'FiatTokenV2: authorization is not yet valid',
    )
    await expect(refused({ value: 10_000_001n })).rejects.toThrow('ERC20: transfer amount exceeds balance')
    await expect(refused({ to: pad('0x', { size: 20 }) })).rejects.toThrow('ERC20: transfer to the zero address')
    await expect(refused({ from: relayer.address })).rejects.toThrow('FiatTokenV2: invalid signature')
    const short = (signature: Hex): Hex => `${signature.slice(0, -2)}` as Hex
    await expect(refused({}, short)).rejects.toThrow('ECRecover: invalid signature length')
    const smallV = (signature: Hex): Hex => concat([signature.slice(0, -2) as Hex, '0x00'])
    await expect(refused({}, smallV)).rejects.toThrow("ECRecover: invalid signature 'v' value")
    const highS = (signature: Hex): Hex => {
      const { r, s, yParity } = parseSignature(signature)
      return serializeSignature({ r, s: numberToHex(curveOrder - BigInt(s), { size: 32 }), yParity: 1 - yParity })
    }
    await expect(refused({}, highS)).rejects.toThrow("ECRecover: invalid signature 's' value")
    const nobody = (): Hex => concat([pad('0x', { size: 32 }), pad('0x01', { size: 32 }), '0x1b'])
    await expect(refused({}, nobody)).rejects.toThrow('ECRecover: invalid signature')
  })

  test('waits while the token is paused or one side is blacklisted', async () => {
    const account = await payer()
    const authorization = authorize(account.address)
    const signature = await account.signTypedData(authorizationTypedData(bench.chain(), authorization))
    const settle = settleData(authorization, signature)
    const tell = (functionName: string, ...args: readonly unknown[]) =>
      send(encodeFunctionData({ abi: testUsdcAbi, functionName, args }))
    await tell('pause')
    await expect(simulate(settle)).rejects.toThrow('Pausable: paused')
    await tell('unpause')
    for (const side of [account.address, payTo]) {
      await tell('blacklist', side)
      await expect(simulate(settle)).rejects.toThrow('Blacklistable: account is blacklisted')
      await tell('unBlacklist', side)
    }
    expect(await logNames(await send(settle))).toEqual(['AuthorizationUsed', 'Transfer'])
  })
})

describe('a smart wallet', () => {
  const salt = keccak256(toHex('a wallet'))
  const factory = () =>
    getContract({ address: smartWalletFactoryAddress, abi: testSmartWalletFactoryAbi, client: bench.client() })
  const createData = (owner: Hex) =>
    encodeFunctionData({ abi: testSmartWalletFactoryAbi, functionName: 'createWallet', args: [owner, salt] })

  async function unbornWallet() {
    const owner = privateKeyToAccount(generatePrivateKey())
    const address = (await factory().read.walletAddress?.([owner.address, salt])) as Hex
    await bench.chain().mint(address, 10_000_000n)
    return { owner, address }
  }

  test('pays by its own rules (ERC-1271) once it exists', async () => {
    const { owner, address } = await unbornWallet()
    const authorization = authorize(address)
    const signature = await owner.signTypedData(authorizationTypedData(bench.chain(), authorization))
    await expect(simulate(settleData(authorization, signature))).rejects.toThrow('FiatTokenV2: invalid signature')
    await bench.rpc('eth_sendTransaction', {
      from: relayer.address,
      to: smartWalletFactoryAddress,
      data: createData(owner.address),
    })
    const stranger = privateKeyToAccount(generatePrivateKey())
    const forged = await stranger.signTypedData(authorizationTypedData(bench.chain(), authorization))
    await expect(simulate(settleData(authorization, forged))).rejects.toThrow('FiatTokenV2: invalid signature')
    expect(await logNames(await send(settleData(authorization, signature)))).toEqual(['AuthorizationUsed', 'Transfer'])
  })

  test('can sign before it exists (ERC-6492)', async () => {
    const { owner, address } = await unbornWallet()
    const authorization = authorize(address)
    const typedData = authorizationTypedData(bench.chain(), authorization)
    const inner = await owner.signTypedData(typedData)
    const wrapped = serializeErc6492Signature({
      address: smartWalletFactoryAddress,
      data: createData(owner.address),
      signature: inner,
    })
    expect(await bench.client().verifyTypedData({ ...typedData, address, signature: wrapped })).toBe(true)
    expect(await bench.client().verifyTypedData({ ...typedData, address, signature: inner })).toBe(false)
  })

  test('spends for its owner alone', async () => {
    const { owner, address } = await unbornWallet()
    await bench.chain().fundGas(owner.address, 10n ** 18n)
    await bench.rpc('eth_sendTransaction', {
      from: relayer.address,
      to: smartWalletFactoryAddress,
      data: createData(owner.address),
    })
    const transfer = encodeFunctionData({ abi: testUsdcAbi, functionName: 'transfer', args: [payTo, 1n] })
    const args = [bench.chain().usdc, 0n, transfer]
    const data = encodeFunctionData({ abi: testSmartWalletAbi, functionName: 'execute', args })
    await expect(bench.rpc('eth_call', { from: relayer.address, to: address, data }, 'latest')).rejects.toThrow(
      'only the owner',
    )
    await bench.rpc('eth_call', { from: owner.address, to: address, data }, 'latest')
  })

  test('that a plain key has put on itself takes over its signatures, as in USDC 2.2', async () => {
    const account = await payer()
    const authorization = authorize(account.address)
    const signature = await account.signTypedData(authorizationTypedData(bench.chain(), authorization))
    await bench.rpc('anvil_setCode', account.address, '0x60006000fd')
    await expect(simulate(settleData(authorization, signature))).rejects.toThrow('FiatTokenV2: invalid signature')
  })
})

test('Multicall3 is where clients look for it and lets single calls fail', async () => {
  const usdc = { address: bench.chain().usdc, abi: testUsdcAbi } as const
  const contracts = [
    { ...usdc, functionName: 'decimals' },
    { ...usdc, functionName: 'transfer', args: [payTo, 10n ** 30n] },
    { address: multicall3Address, abi: multicall3Abi, functionName: 'getEthBalance', args: [relayer.address] },
  ] as const
  const answers = await bench.client().multicall({ contracts, multicallAddress: multicall3Address })
  expect(answers.map((answer) => answer.status)).toEqual(['success', 'failure', 'success'])
  expect(answers[2]?.result).toBeGreaterThan(10n ** 20n)
})

test('on eip155:5042 every movement is logged twice, by the system with 18 decimals before the token with 6', async () => {
  const arc = await openBench('eip155:5042')
  try {
    const account = privateKeyToAccount(generatePrivateKey())
    const mint = await arc.chain().mint(account.address, 2_000_000n)
    const logsOf = async (hash: Hex) =>
      (await arc.client().getTransactionReceipt({ hash })).logs.map(({ address, data }) => [
        address,
        BigInt(data === '0x' ? 0 : data),
      ])
    const [system, usdc] = [nativeMirrorAddress.toLowerCase(), arc.chain().usdc]
    expect(await logsOf(mint.txHash)).toEqual([
      [system, 2_000_000n * 10n ** 12n],
      [usdc, 2_000_000n],
      [usdc, 2_000_000n],
    ])
    const authorization = { ...authorize(account.address), validBefore: BigInt(arc.now() + 600) }
    const signature = await account.signTypedData(authorizationTypedData(arc.chain(), authorization))
    const settle = { from: relayer.address, to: usdc, data: settleData(authorization, signature) }
    const hash = (await arc.rpc('eth_sendTransaction', settle)) as Hex
    expect(await logsOf(hash)).toEqual([
      [usdc, 0n],
      [system, 1_000_000n * 10n ** 12n],
      [usdc, 1_000_000n],
    ])
    const mirrorAbi = parseAbi(['function moved(address from, address to, uint256 value)'])
    const data = encodeFunctionData({ abi: mirrorAbi, functionName: 'moved', args: [payTo, payTo, 1n] })
    const forged = arc.rpc('eth_call', { from: relayer.address, to: nativeMirrorAddress, data }, 'latest')
    await expect(forged).rejects.toThrow('NativeMirror: only the token')
  } finally {
    await arc.close()
  }
})
