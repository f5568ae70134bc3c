import { randomBytes } from 'node:crypto'
import { formatUsdc, signRequest } from '@guildhall/protocol'
import { ExactEvmScheme } from '@x402/evm'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { PlainError } from '../plain-error.ts'
import { eventually } from './eventually.ts'
import { hasMoved } from './has-moved.ts'
import type { Narrator } from './narrator.ts'
import { onSandboxTime } from './on-sandbox-time.ts'
import type { Player } from './player.ts'
import type { Stage } from './stage.ts'
import { BOUNTY_USDC, bountyAtomic, taskText } from './the-task.ts'

const PATH = '/v1/tasks'

/** Posts the task with only the signature headers from us: the payment is made by the official x402 client. */
export async function postTask(stage: Stage, buyer: Player): Promise<string> {
  const { narrator, network, clockOffsetMs } = stage
  narrator.step(`The buyer posts a task for ${BOUNTY_USDC} USDC with the official x402 client`)
  const payer = new x402Client()
    .register(network, onSandboxTime(new ExactEvmScheme(buyer.wallet), clockOffsetMs))
    .setSpendControls({ maxAmountPerPayment: '$1000' })
  const payingFetch = wrapFetchWithPayment(toldFetch(narrator), payer)

  const body = JSON.stringify({ ...taskText, bounty: { amount: bountyAtomic.toString(), network } })
  const signature = signRequest({
    secretKey: buyer.key.secretKey,
    method: 'POST',
    path: PATH,
    body,
    timestamp: Math.floor((Date.now() + clockOffsetMs) / 1000),
    nonce: randomBytes(16).toString('hex'),
  })
  const headers = { ...signature, 'Content-Type': 'application/json' }
  const response = await payingFetch(`${stage.url}${PATH}`, { method: 'POST', headers, body })
  const answer = (await response.json()) as { task_id?: string; message?: string }
  if (!response.ok || answer.task_id === undefined) throw new PlainError(`The task was refused: ${answer.message}`)
  await checkDeposit(stage, buyer, answer.task_id)
  return answer.task_id
}

async function checkDeposit(stage: Stage, { client, wallet }: Player, taskId: string): Promise<void> {
  const { narrator, escrow } = stage
  const { task } = await eventually(
    () => client.tasks.get(taskId),
    ({ task }) => task.claimable,
  )
  const hash = task.escrow?.deposit_tx_hash ?? null
  narrator.fact('task', taskId)
  narrator.fact('deposit', hash ?? 'none')
  const moved = await hasMoved(stage, hash, { from: wallet.address, to: escrow, value: bountyAtomic })
  narrator.check(moved, `the chain shows ${formatUsdc(bountyAtomic)} USDC from the buyer to the escrow wallet`)
  narrator.check(task.claimable && task.escrow?.status === 'funded', 'the escrow is funded, the task can be claimed')
}

/** The same fetch, which also prints what was answered. */
const toldFetch =
  (narrator: Narrator): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    const meaning = response.status === 402 ? 'pay first: the client signs and sends it again' : response.statusText
    narrator.say(`POST ${PATH}: ${response.status} ${meaning}`)
    return response
  }
