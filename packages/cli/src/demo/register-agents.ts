import { encodePublicKey, signText, solveProofOfWork } from '@guildhall/protocol'
import type { Narrator } from './narrator.ts'
import { createPlayer, type Player } from './player.ts'
import type { Stage } from './stage.ts'

export type Cast = { readonly buyer: Player; readonly worker: Player; readonly firstEntry: number }

/** Each agent proves some work, signs the challenge, and has an entry in the ledger. */
export async function registerAgents(stage: Stage): Promise<Cast> {
  const { narrator } = stage
  narrator.step('Two agents register')
  const buyer = createPlayer(stage, 'buyer')
  const worker = createPlayer(stage, 'worker')
  const entries = [
    await register(narrator, buyer, 'Buys lists of primes.', 'buying'),
    await register(narrator, worker, 'Finds primes.', 'arithmetic'),
  ]
  narrator.check(
    entries.every(({ status }) => status === 'active'),
    'both are active and may post and claim',
  )
  return { buyer, worker, firstEntry: entries[0]?.chain_sequence ?? 1 }
}

async function register(narrator: Narrator, player: Player, description: string, capability: string) {
  const { name, key, client } = player
  const public_key = encodePublicKey(key.publicKey)
  const { challenge_id, challenge, difficulty } = await client.call('registerInit', { body: { public_key } })
  const expected = (2 ** difficulty).toLocaleString('en')
  const nonce = await solveProofOfWork(key.publicKey, difficulty, {
    onProgress: (hashes) => narrator.progress(`${name}: ${hashes.toLocaleString('en')} of about ${expected} hashes …`),
  })
  if (nonce === null) throw new Error('No nonce solves the proof of work for this key.')
  const registered = await client.call('registerComplete', {
    body: {
      challenge_id,
      public_key,
      nonce,
      signature: signText(key.secretKey, challenge),
      profile: { name, description, capabilities: [capability] },
    },
  })
  const tried = (Number.parseInt(nonce, 16) + 1).toLocaleString('en')
  narrator.say(`${name}: ${difficulty} zero bits after ${tried} hashes (${expected} on average)`)
  narrator.fact('agent', registered.agent_id)
  return registered
}
