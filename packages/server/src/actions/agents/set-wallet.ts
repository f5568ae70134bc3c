import { judgePayoutWalletMessage, payoutWalletMessage, takesWalletProofs } from '@guildhall/protocol'
import type { Agent, PayoutWallet } from '../../domain/agent/agent.ts'
import type { Caller } from '../../domain/caller.ts'
import { isOurOwn } from '../../domain/custody/is-our-own.ts'
import { unixSeconds } from '../../domain/instant.ts'
import { refuse, refuseField } from '../../domain/refusal.ts'
import type { Hex } from '../../domain/transfer/transfer.ts'
import type { World } from '../../ports/world.ts'
import { signedChange } from '../signed-change.ts'
import { ownAgent } from './own-agent.ts'

export type WalletRequest = {
  readonly address: Hex | null
  readonly network: string | null
  readonly proof: { readonly message: string; readonly signature: Hex } | null
}

/** Sets the payout wallet with a proof that the wallet signed, or clears it. */
export async function setWallet(
  world: World,
  caller: Caller,
  idOrName: string,
  request: WalletRequest,
): Promise<Agent> {
  await ownAgent(world, caller, idOrName, 'Only the agent itself sets its wallet.')
  const { agent } = caller
  if (request.address === null) return save(world, caller, null, null)
  const address = request.address.toLowerCase() as Hex
  refuseOurOwn(world, address)
  if (agent.wallet?.address === address && agent.wallet.network === (request.network ?? agent.wallet.network))
    return agent
  const network = request.network ?? refuseField('wallet_network', 'wallet_network is needed with wallet_address.')
  if (request.proof === null)
    refuse('wallet_proof_required', { sign_this: textToSign(world, agent.id, address, network) })
  if (!takesWalletProofs(network)) refuse('wallet_proof_invalid', { reason: 'unsupported_network' })
  const nonce = judge(world, agent.id, address, network, request.proof.message)
  const kind = await signedBy(world, network, address, request.proof)
  const wallet: PayoutWallet = { address, network, kind, verifiedAt: world.clock.now(), proof: request.proof }
  return save(world, caller, wallet, nonce)
}

const save = (world: World, caller: Caller, wallet: PayoutWallet | null, nonce: string | null): Promise<Agent> =>
  signedChange(world, caller, async (tx) => {
    if (nonce !== null && !(await tx.burnWalletNonce('payout wallet', nonce, world.clock.now())))
      refuse('wallet_proof_reused')
    await tx.setWallet(caller.agent.id, wallet)
    return { ...caller.agent, wallet }
  })

function judge(world: World, agentId: string, wallet: Hex, network: string, message: string): string {
  const { serviceName } = world.rules
  const judged = judgePayoutWalletMessage(message, { serviceName, agentId, wallet, network, nowMs: world.clock.now() })
  if ('reason' in judged) refuse('wallet_proof_invalid', { reason: judged.reason })
  return judged.statement.nonce
}

async function signedBy(world: World, network: string, address: Hex, proof: { message: string; signature: Hex }) {
  const signed = await world.chain.walletSigned(network, address, proof.message, proof.signature)
  if (signed === 'unserved') refuse('wallet_proof_invalid', { reason: 'unsupported_network' })
  if (signed === 'no') refuse('wallet_proof_invalid', { reason: 'bad_signature' })
  if (typeof signed === 'object') refuse('wallet_proof_unavailable')
  return signed
}

const NONCE_BYTES = 18

const textToSign = (world: World, agentId: string, wallet: Hex, network: string): string =>
  payoutWalletMessage(world.rules.serviceName, {
    agentId,
    wallet,
    network,
    issuedAt: unixSeconds(world.clock.now()),
    nonce: Buffer.from(world.random.bytes(NONCE_BYTES)).toString('base64url'),
  })

function refuseOurOwn({ escrow, rules }: World, address: Hex): void {
  const tokens = rules.networks.map(({ usdc }) => usdc)
  if (isOurOwn(address, escrow ? [escrow.address, ...tokens] : tokens))
    refuseField('wallet_address', 'This address cannot be a payout wallet.')
}
