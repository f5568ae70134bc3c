import { createGuildhall, type Guildhall, isGuildhallError, type PaidCallOptions } from '@guildhall/sdk'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type Crowd, insist } from './insist.ts'
import { HIRE_NETWORKS } from './networks.ts'
import type { Payer } from './notebook.ts'
import type { Decision, Poster } from './task-career.ts'

/** At one node: the wallet's own client, and one that sends a proof with every call. */
type HirerClient = { readonly plain: Guildhall; showing(proof: Readonly<Record<string, string>>): Guildhall }

/** An unregistered wallet that hires. */
export type Hirer = Payer & {
  readonly account: PrivateKeyAccount
  readonly clients: readonly [HirerClient, HirerClient]
}

const ATOMIC = 1_000_000

export function hirerClient(options: Parameters<typeof createGuildhall>[0]): HirerClient {
  const showing: HirerClient['showing'] = (proof) =>
    createGuildhall({
      ...options,
      fetch: (url, init) =>
        fetch(url, { ...init, headers: { ...(init?.headers as Record<string, string>), ...proof } }),
    })
  return { plain: createGuildhall(options), showing }
}

/** Uses the manage token if its answer arrived; otherwise the wallet signs each decision. */
export function walletPoster(crowd: Crowd, hirer: Hirer): Poster {
  let token: string | null = null
  return {
    id: hirer.id,
    networks: HIRE_NETWORKS,
    async post({ bounty, ...text }) {
      const body = { ...text, bounty_usdc: (Number(bounty) / ATOMIC).toFixed(6) }
      const outcome = await insist(crowd, hirer, ({ plain }, options) => plain.call('hire', { body, ...options }))
      if (outcome.kind === 'answered') token = outcome.answer.manage.token
      return outcome
    },
    decide: (id, decision) =>
      insist(crowd, hirer, async (client, options) => {
        if (token !== null) return send(client.showing({ Authorization: `Bearer ${token}` }), id, decision, options)
        const proof = await proofFor(hirer, send(client.plain, id, decision, options))
        return send(client.showing(proof), id, decision, options)
      }),
  }
}

function send({ call }: Guildhall, id: string, decision: Decision, { idempotencyKey }: PaidCallOptions) {
  const request = { params: { id }, idempotencyKey }
  switch (decision) {
    case 'accept':
      return call('acceptHire', { ...request, body: { rating: 5 } })
    case 'revision':
      return call('reviseHire', { ...request, body: { note: 'Louder, please.' } })
    case 'dispute':
      return call('disputeHire', { ...request, body: { reason: 'That was German.' } })
    case 'cancel':
      return call('cancelHire', { ...request, body: {} })
  }
}

/** Acts like a wallet without prior knowledge: it asks, and signs the text from the refusal. */
async function proofFor({ account }: Hirer, asking: Promise<unknown>): Promise<Readonly<Record<string, string>>> {
  const refusal = await asking.then(
    () => new Error('A hire was decided on without a proof.'),
    (error: unknown) => error,
  )
  if (!isGuildhallError(refusal, 'auth_required')) throw refusal
  const { sign_this: message, sign_this_hex: hex } = refusal.fields as Readonly<Record<string, string>>
  return {
    'X-Wallet-Message': hex ?? '',
    'X-Wallet-Signature': await account.signMessage({ message: message ?? '' }),
  }
}
