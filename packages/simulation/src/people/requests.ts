import { payoutWalletMessage } from '@guildhall/protocol'
import {
  acceptTask,
  agentAsPoster,
  type Caller,
  cancelTask,
  claimTask,
  deliverTask,
  disputeTask,
  fundTask,
  type Hex,
  hireByWallet,
  type Poster,
  postBond,
  postTask,
  requestRevision,
  type ServedNetwork,
  setWallet,
  type Task,
  type TaskRequest,
  type World,
  withdrawBond,
} from '@guildhall/server/parts'
import { signatureOf } from '../chain/signatures.ts'
import { type Day, ESCROW_WALLET } from '../day.ts'
import { createCallers, type Request, type Tokens } from './callers.ts'
import type { Person } from './cast.ts'
import { signPayment } from './payments.ts'

export type Requests = ReturnType<typeof createRequests>

/** What people and agents ask for. */
export function createRequests(day: Day, tokens: Tokens) {
  const { chance, scheduler, rules } = day
  const { byAgent, byPoster, newNonce } = createCallers(day, tokens)

  const network = (): ServedNetwork => chance.pick(rules.networks as [ServedNetwork])
  const amount = (): bigint => BigInt(1 + chance.below(5)) * 1_000_000n
  const servedOf = (id: string) => rules.networks.find((served) => served.network === id) ?? network()

  const taskRequest = (bounty: TaskRequest['bounty'], escrow: boolean): TaskRequest => ({
    title: 'Count to ten',
    description: 'In French.',
    category: null,
    requiredCapabilities: chance.happens(0.5) ? ['words'] : [],
    expectedOutput: null,
    outputFormat: 'json',
    expiresInDays: 1 + chance.below(20),
    bounty,
    escrow,
  })

  return {
    postFree(person: Person): Request {
      const request = taskRequest(null, false)
      return byAgent('post', person, null, (world, caller) => postTask(world, agentAsPoster(caller), request, null))
    },
    postDeclared(person: Person): Request {
      const request = taskRequest({ amount: amount(), network: network().network }, false)
      return byAgent('post', person, null, (world, caller) => postTask(world, agentAsPoster(caller), request, null))
    },
    postInEscrow(person: Person): Request {
      const served = network()
      const bounty = { amount: amount(), network: served.network }
      const payment = signPayment(day, served, person.wallet, ESCROW_WALLET, bounty.amount)
      const request = taskRequest(bounty, true)
      const act = (world: World, caller: Caller) => postTask(world, agentAsPoster(caller), request, payment.header)
      return byAgent('post', person, null, act, payment)
    },
    hire(wallet: Hex): Request {
      const served = network()
      const price = amount()
      const payment = signPayment(day, served, wallet, ESCROW_WALLET, price)
      const { bounty: _, escrow: __, ...request } = taskRequest(null, true)
      return {
        verb: 'hire',
        by: wallet,
        taskId: null,
        signature: `payment ${payment.authorization.nonce}`,
        payment,
        async send(world) {
          const hire = { path: '/v1/x402/tasks', amount: price, network: null, request }
          const hired = await hireByWallet(world, hire, payment.header, null)
          tokens.set(hired.task.id, hired.token)
          return hired
        },
      }
    },
    fund(person: Person, task: Task): Request {
      const served = servedOf(task.bounty?.network ?? '')
      const payment = signPayment(day, served, person.wallet, ESCROW_WALLET, task.bounty?.amount ?? 1n)
      const act = (world: World, caller: Caller) => fundTask(world, agentAsPoster(caller), task.id, payment.header)
      return byAgent('fund', person, task.id, act, payment)
    },
    claim: (person: Person, task: Task): Request =>
      byAgent('claim', person, task.id, (world, caller) => claimTask(world, caller, task.id)),
    deliver: (person: Person, task: Task): Request =>
      byAgent('deliver', person, task.id, (world, caller) => deliverTask(world, caller, task.id, DELIVERY)),
    accept(person: Person | null, task: Task): Request {
      const stars = chance.happens(0.5) ? 1 + chance.below(5) : null
      const acceptance = { note: null, stars, comment: null }
      return byPoster('accept', person, task, (world, poster) => acceptTask(world, poster, task.id, acceptance, null))
    },
    /** A declared bounty is paid by accepting. */
    acceptPaying(person: Person, task: Task, payee: Hex): Request {
      const served = servedOf(task.bounty?.network ?? '')
      const payment = signPayment(day, served, person.wallet, payee, task.bounty?.amount ?? 1n)
      const acceptance = { note: null, stars: null, comment: null }
      const act = (world: World, poster: Poster, header: string | null) =>
        acceptTask(world, poster, task.id, acceptance, header)
      return byPoster('accept', person, task, act, payment)
    },
    revise: (person: Person | null, task: Task): Request =>
      byPoster('revision', person, task, (world, poster) => requestRevision(world, poster, task.id, 'Once more.')),
    dispute(person: Person | null, task: Task): Request {
      const dispute = { reason: 'It is wrong.', stars: chance.happens(0.5) ? 1 : null, comment: null }
      return byPoster('dispute', person, task, (world, poster) => disputeTask(world, poster, task.id, dispute))
    },
    cancel: (person: Person | null, task: Task): Request =>
      byPoster('cancel', person, task, (world, poster) => cancelTask(world, poster, task.id, null)),
    bond(person: Person): Request {
      const { bondBalance = 0n, bondNetwork = null, wallet = null } = day.database.tables.agents.get(person.id) ?? {}
      const served = servedOf((bondBalance > 0n ? bondNetwork : wallet?.network) ?? '')
      const slots = 1 + chance.below(2)
      const payer = wallet?.address ?? person.wallet
      const payment = signPayment(day, served, payer, ESCROW_WALLET, BigInt(slots) * rules.bondSlotAtomic)
      const act = (world: World, caller: Caller) => postBond(world, caller, slots, payment.header)
      return byAgent('bond', person, null, act, payment)
    },
    /** Mostly everything, so that the next bond may be on another network. */
    withdraw(person: Person): Request {
      const { bondBalance = 0n } = day.database.tables.agents.get(person.id) ?? {}
      const part = chance.happens(0.5) ? rules.bondSlotAtomic : BigInt(1 + chance.below(2_000_000))
      const value = bondBalance > 0n && chance.happens(0.6) ? bondBalance : part
      return byAgent('withdraw', person, null, (world, caller) => withdrawBond(world, caller, value))
    },
    clearWallet: (person: Person): Request =>
      byAgent('clear wallet', person, null, (world, caller) =>
        setWallet(world, caller, person.id, { address: null, network: null, proof: null }),
      ),
    /** A wallet on another network lets the next bond begin there. */
    proveWallet(person: Person, address: Hex = person.wallet): Request {
      const now = day.database.tables.agents.get(person.id)?.wallet?.network
      const others = rules.networks.filter((served) => served.network !== now)
      const { network: on } = chance.pick(others) ?? network()
      const issuedAt = Math.floor(scheduler.now() / 1000)
      const statement = { agentId: person.id, wallet: address, network: on, issuedAt, nonce: newNonce() }
      const message = payoutWalletMessage(rules.serviceName, statement)
      const proof = { message, signature: signatureOf(address, message) }
      return byAgent('prove wallet', person, null, (world, caller) =>
        setWallet(world, caller, person.id, { address, network: on, proof }),
      )
    },
  }
}

const DELIVERY = {
  type: 'json',
  summary: 'Done',
  content: '{"words":["un","deux"]}',
  artifactUrls: null,
  commitHash: null,
  prUrl: null,
} as const
