import {
  decodeWalletMessage,
  encodeWalletMessage,
  judgeTaskActionMessage,
  limits,
  type TaskAction,
  taskActionMessage,
} from '@guildhall/protocol'
import { unixSeconds } from '../../domain/instant.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Task } from '../../domain/task/task.ts'
import type { Hex } from '../../domain/transfer/transfer.ts'
import type { World } from '../../ports/world.ts'
import type { Poster } from '../poster.ts'
import { isManageToken, tokenHash } from './manage-token.ts'

/** What may authorize a manage call; null where it is missing. */
export type ManageProof = {
  readonly authorization: string | null
  readonly walletMessage: string | null
  readonly walletSignature: string | null
}

/** Who may decide on a task that a wallet posted. */
export type Manager = { readonly task: Task; readonly poster: Poster }

const NONCE_BYTES = 18
const { min, max } = limits.walletProof.signatureBytes
const SIGNATURE = new RegExp(`^0x([0-9a-fA-F]{2}){${min},${max}}$`)

/** The task that a wallet posted, and the wallet as its poster, once the token or the wallet's signature proves it. */
export async function manageHire(
  world: World,
  taskId: string,
  action: TaskAction,
  proof: ManageProof,
): Promise<Manager> {
  const task = await world.store.task(taskId)
  if (task?.creator.kind !== 'wallet') {
    return refuse('not_found', { resource: 'task' }, `No wallet posted a task ${taskId}.`)
  }
  const byToken = proof.authorization !== null
  const byWallet = proof.walletMessage !== null || proof.walletSignature !== null
  const help = howToSign(world, task, action)
  if (!byToken && !byWallet) {
    refuse(
      'auth_required',
      { ...help, reason: 'no_proof' },
      'Send the manage token as a bearer, or sign the text in `sign_this` with the paying wallet.',
    )
  }
  if (byToken) await checkToken(world, task, proof.authorization ?? '', help)
  const nonce = byWallet ? await checkWallet(world, task, action, proof, help) : null
  return { task, poster: posterOf(world, task, proof, nonce, help) }
}

const posterOf = (world: World, task: Task, proof: ManageProof, nonce: string | null, help: Help): Poster => ({
  ...task.creator,
  agent: null,
  signature: proof.walletSignature,
  async burn(tx) {
    if (nonce === null) return
    if (!(await tx.burnWalletNonce('task action', nonce, world.clock.now())))
      refuse('wallet_proof_reused', { ...help, reason: 'nonce_used' })
  },
})

type Help = ReturnType<typeof howToSign>

/** Looked up by its hash, so that timing reveals nothing about the token. */
async function checkToken(world: World, task: Task, authorization: string, help: Help): Promise<void> {
  const token = /^Bearer (\S+)$/i.exec(authorization)?.[1] ?? ''
  const owner = isManageToken(token) ? await world.store.taskOfManageToken(tokenHash(token)) : null
  if (owner !== task.id) refuse('invalid_token', { ...help, reason: 'not_this_task' })
}

async function checkWallet(
  world: World,
  task: Task,
  action: TaskAction,
  proof: ManageProof,
  help: Help,
): Promise<string> {
  const invalid = (reason: string): never => refuse('wallet_proof_invalid', { ...help, reason })
  const message = proof.walletMessage === null ? null : decodeWalletMessage(proof.walletMessage)
  const signature = proof.walletSignature
  if (message === null) return invalid('malformed_message')
  if (signature === null || !SIGNATURE.test(signature)) return invalid('bad_signature')
  const expected = { ...termsOf(world, task), taskId: task.id, action, nowMs: world.clock.now() }
  const judged = judgeTaskActionMessage(message, expected)
  if ('reason' in judged) return invalid(judged.reason)
  const { network, wallet } = expected
  const signed = await world.chain.walletSigned(network, wallet as Hex, message, signature as Hex)
  if (typeof signed === 'object') refuse('wallet_proof_unavailable')
  if (signed === 'unserved') return invalid('unsupported_network')
  return signed === 'no' ? invalid('bad_signature') : judged.statement.nonce
}

const termsOf = (world: World, { creator, bounty }: Task) => ({
  serviceName: world.rules.serviceName,
  wallet: creator.id,
  network: bounty?.network ?? '',
})

/** A fresh text to sign, which holds nothing but what the caller named. */
function howToSign(world: World, task: Task, action: TaskAction) {
  const { serviceName, wallet, network } = termsOf(world, task)
  const nonce = Buffer.from(world.random.bytes(NONCE_BYTES)).toString('base64url')
  const issuedAt = unixSeconds(world.clock.now())
  const text = taskActionMessage(serviceName, { taskId: task.id, action, wallet, network, issuedAt, nonce })
  return {
    wallet,
    sign_this: text,
    sign_this_hex: encodeWalletMessage(text),
    send_headers: {
      'X-Wallet-Message': 'the text as 0x-hex of its UTF-8',
      'X-Wallet-Signature': 'the wallet’s signature of it',
    },
  }
}
