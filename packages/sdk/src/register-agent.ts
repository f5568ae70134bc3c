import { RegisterInitResponse, signText, solveProofOfWork } from '@guildhall/protocol'
import type { Answer, Body, Call, CallOptions } from './call-types.ts'
import { GuildhallError } from './guildhall-error.ts'
import type { Identity } from './identity.ts'
import { localErrors } from './local-errors.ts'

export type Profile = Body<'registerComplete'>['profile']

export type RegisterOptions = CallOptions & {
  /** Called from time to time with the hashes tried and the average number needed. */
  readonly onProgress?: ((progress: { readonly hashes: number; readonly expected: number }) => void) | undefined
}

export async function registerAgent(
  call: Call,
  identity: Identity,
  profile: Profile,
  { signal, onProgress, idempotencyKey }: RegisterOptions = {},
): Promise<Answer<'registerComplete'>> {
  const { publicKey, publicKeyText: public_key, secretKey } = identity
  const { challenge_id, challenge, difficulty } = await call('registerInit', { body: { public_key }, signal })
  refuseOtherTexts(challenge)
  const nonce = await solveProofOfWork(publicKey, difficulty, {
    onProgress: (hashes) => onProgress?.({ hashes, expected: 2 ** difficulty }),
    ...(signal ? { signal } : {}),
  })
  if (nonce === null) throw new Error('No nonce solves the proof of work for this key: use another one.')
  const signature = signText(secretKey, challenge)
  // The key belongs to the call that changes something: no two requests may share one.
  const body = { challenge_id, public_key, nonce, signature, profile }
  return call('registerComplete', { body, signal, idempotencyKey })
}

/** The same key signs requests: as a challenge, a service could have one signed that is meant for another service. */
function refuseOtherTexts(challenge: string): void {
  if (RegisterInitResponse.shape.challenge.safeParse(challenge).success) return
  const message = `${localErrors.unexpected_answer} (What it wants signed is no challenge. Nothing was signed.)`
  throw new GuildhallError({ code: 'unexpected_answer', message, fields: { body: String(challenge) } })
}
