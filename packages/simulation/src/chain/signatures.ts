import type { Authorization, Hex } from '@guildhall/server/parts'

/**
 * A stand-in for a signature, derived from the signer and every signed field. Nobody in a simulation forges one, and real ones
 * would take most of its time.
 */
export function signatureOf(signer: Hex, signed: Authorization | string): Hex {
  const text = `${signer} ${typeof signed === 'string' ? signed : wordsOf(signed)}`
  let one = 0x811c9dc5
  let two = 0xdeadbeef
  for (let index = 0; index < text.length; index++) {
    one = Math.imul(one ^ text.charCodeAt(index), 0x01000193)
    two = Math.imul(two ^ one, 0x85ebca6b)
  }
  const words = (one >>> 0).toString(16).padStart(8, '0') + (two >>> 0).toString(16).padStart(8, '0')
  return `0x${words.repeat(9).slice(0, 130)}`
}

export const isSignedBy = (signer: Hex, signed: Authorization | string, signature: Hex): boolean =>
  signatureOf(signer, signed) === signature

const wordsOf = ({ network, asset, from, to, value, validAfter, validBefore, nonce }: Authorization): string =>
  [network, asset, from, to, value, validAfter, validBefore, nonce].join(' ')
