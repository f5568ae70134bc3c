import { randomUUID } from 'node:crypto'
import { DAY, encodeWalletMessage, signRequest, type TaskAction, taskActionMessage } from '@guildhall/protocol'
import type { PrivateKeyAccount } from 'viem/accounts'
import { reinstateAgent, suspendAgent } from '../../src/actions/agents/suspend-agent.ts'
import { newAgent, newBuyer, newWallet, newWorker, type Player } from '../support/cast.ts'
import { hirePrice, newHirer, unsigned } from '../support/hires.ts'
import { signPayment } from '../support/payments.ts'
import { send } from '../support/raw.ts'
import { BASE, type Stage } from '../support/stage.ts'
import { aDelivery, aTask, postEscrowed } from '../support/tasks.ts'
import type { Targets } from './sample-calls.ts'

export const ROLES = [
  'nobody',
  'stranger',
  'creator',
  'deliverer',
  'former claimer',
  'suspended agent',
  'other wallet',
  'paying wallet',
] as const
export type Role = (typeof ROLES)[number]
export type AgentRole = Exclude<Role, 'nobody' | 'other wallet' | 'paying wallet'>

export type Town = {
  readonly targets: Targets
  readonly agents: Readonly<Record<AgentRole, Player>>
  readonly wallets: Readonly<Record<'other wallet' | 'paying wallet', PrivateKeyAccount>>
  readonly token: string
}

/** A delivered task and a delivered hire, and everybody who has or has not to do with them. */
export async function foundTown(stage: Stage): Promise<Town> {
  const agents = {
    stranger: await newWorker(stage),
    creator: await newBuyer(stage),
    deliverer: await newWorker(stage),
    'former claimer': await newWorker(stage),
    'suspended agent': await newAgent(stage),
  }
  const wallets = { 'paying wallet': await newHirer(stage), 'other wallet': newWallet() }
  const task = await postEscrowed(agents.creator, { expires_in_days: 90 })
  await agents['former claimer'].client.tasks.claim(task)
  await stage.travel(8 * DAY)
  const { hire, token } = await hired(stage, wallets['paying wallet'])
  for (const id of [task, hire]) {
    await agents.deliverer.client.tasks.claim(id)
    await agents.deliverer.client.tasks.deliver(id, aDelivery)
  }
  const { message_id: message } = await agents.creator.client.call('sendMessage', {
    params: { id: agents.deliverer.id },
    body: { subject: 'Hello', body: 'Thank you.' },
  })
  await setStatus(stage, agents['suspended agent'], 'suspended')
  await stage.runDue()
  return { targets: { agent: agents.creator.id, task, hire, message }, agents, wallets, token }
}

async function hired(stage: Stage, wallet: PrivateKeyAccount): Promise<{ hire: string; token: string }> {
  const request = unsigned('/v1/x402/tasks/usd-1', aTask)
  const { terms } = await hirePrice(stage, request)
  const { header } = await signPayment(stage, terms, wallet)
  const { body } = await send(stage, request, { headers: { 'PAYMENT-SIGNATURE': header } })
  return { hire: String(body.task_id), token: (body.manage as { readonly token: string }).token }
}

export async function setStatus(stage: Stage, { id }: Player, status: 'active' | 'suspended'): Promise<void> {
  const change = status === 'suspended' ? suspendAgent : reinstateAgent
  await change(stage.node().service.world, id, null)
}

/** How a role proves who it is: an agent signs the request, a wallet the text for the task, nobody nothing. */
export async function proofOf(
  stage: Stage,
  town: Town,
  role: Role,
  request: {
    readonly method: string
    readonly path: string
    readonly body: string | null
    readonly action: TaskAction
    readonly task: string
  },
): Promise<Readonly<Record<string, string>>> {
  if (role === 'nobody') return {}
  const timestamp = Math.floor(stage.now() / 1000)
  if (role !== 'other wallet' && role !== 'paying wallet') {
    return { ...signRequest({ secretKey: town.agents[role].key, ...request, timestamp, nonce: randomUUID() }) }
  }
  const signer = town.wallets[role]
  const text = taskActionMessage('Guildhall', {
    taskId: request.task,
    action: request.action,
    wallet: signer.address.toLowerCase(),
    network: BASE,
    issuedAt: timestamp,
    nonce: randomUUID(),
  })
  return {
    'X-Wallet-Message': encodeWalletMessage(text),
    'X-Wallet-Signature': await signer.signMessage({ message: text }),
  }
}
