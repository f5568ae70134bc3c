import { encodeWalletMessage, type TaskAction, taskActionMessage } from '@guildhall/protocol'
import {
  agentAsPoster,
  type Caller,
  type Hex,
  type ManageProof,
  manageHire,
  type Poster,
  type Task,
  type World,
} from '@guildhall/server/parts'
import { signatureOf } from '../chain/signatures.ts'
import type { Day } from '../day.ts'
import type { Person } from './cast.ts'
import type { Payment } from './payments.ts'

/** A request to a node. It can be sent again unchanged, to any node. */
export type Request = {
  readonly verb: string
  readonly by: string
  readonly taskId: string | null
  /** Authenticates the caller; it counts once. */
  readonly signature: string
  readonly payment: Payment | null
  send(world: World): Promise<unknown>
}

/** The manage tokens of hires, by task. */
export type Tokens = Map<string, string>

type Decision = 'accept' | 'revision' | 'dispute' | 'cancel'

/** Who a request comes from, and how that is proven. */
export function createCallers({ chance, scheduler, rules }: Day, tokens: Tokens) {
  let count = 0

  /** A request signed by an agent, as the router passes it on. */
  function byAgent(
    verb: string,
    person: Person,
    taskId: string | null,
    act: (world: World, caller: Caller) => Promise<unknown>,
    payment: Payment | null = null,
  ): Request {
    const text = `signature ${++count}`
    const signature = {
      hash: Buffer.from(text),
      text,
      timestamp: Math.floor(scheduler.now() / 1000),
      nonce: null,
      bodyHash: '0'.repeat(64),
      publicKeyHex: '0'.repeat(64),
    }
    return {
      verb,
      by: person.id,
      taskId,
      signature: text,
      payment,
      async send(world) {
        const agent = await world.store.agent(person.id)
        return agent === null ? null : act(world, { agent, signature })
      },
    }
  }

  const newNonce = () => Buffer.from(chance.bytes(18)).toString('base64url')

  /** A caller that never received its token signs with the wallet that paid; the others do so now and then. */
  function proofOf(verb: TaskAction, task: Task): ManageProof {
    const token = tokens.get(task.id)
    const authorization = token === undefined ? null : `Bearer ${token}`
    if (authorization !== null && chance.happens(0.6))
      return { authorization, walletMessage: null, walletSignature: null }
    const wallet = task.creator.id as Hex
    const issuedAt = Math.floor(scheduler.now() / 1000)
    const statement = { taskId: task.id, wallet, network: task.bounty?.network ?? '', issuedAt, nonce: newNonce() }
    const text = taskActionMessage(rules.serviceName, { ...statement, action: verb })
    const walletSignature = signatureOf(wallet, text)
    return { authorization: null, walletMessage: encodeWalletMessage(text), walletSignature }
  }

  function byWallet(verb: Decision, task: Task, act: (world: World, poster: Poster) => Promise<unknown>): Request {
    const proof = proofOf(verb, task)
    return {
      verb,
      by: task.creator.id,
      taskId: task.id,
      signature: `${proof.authorization === null ? 'wallet' : 'token'} ${++count}`,
      payment: null,
      async send(world) {
        const { poster } = await manageHire(world, task.id, verb, proof)
        return act(world, poster)
      },
    }
  }

  /** The poster of the task decides on it. */
  const byPoster = (
    verb: Decision,
    person: Person | null,
    task: Task,
    act: (world: World, poster: Poster, payment: string | null) => Promise<unknown>,
    payment: Payment | null = null,
  ): Request =>
    person === null
      ? byWallet(verb, task, (world, poster) => act(world, poster, null))
      : byAgent(
          verb,
          person,
          task.id,
          (world, caller) => act(world, agentAsPoster(caller), payment?.header ?? null),
          payment,
        )

  return { byAgent, byPoster, newNonce }
}
