import { randomBytes } from 'node:crypto'
import { generateKey, type KeyPair } from '@guildhall/protocol'
import { createGuildhall, type Guildhall } from '@guildhall/sdk'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Stage } from './stage.ts'

/** An agent of the story, with a fresh key and a fresh wallet. */
export type Player = {
  readonly name: string
  readonly agentId: string
  readonly key: KeyPair
  readonly wallet: PrivateKeyAccount
  readonly client: Guildhall
}

export function createPlayer({ url, clockOffsetMs }: Stage, role: string): Player {
  const key = generateKey()
  const wallet = privateKeyToAccount(generatePrivateKey())
  const client = createGuildhall({ baseUrl: url, key: key.secretKey, clock: () => Date.now() + clockOffsetMs })
  return { name: `${role}-${randomBytes(3).toString('hex')}`, agentId: client.agentId ?? '', key, wallet, client }
}
