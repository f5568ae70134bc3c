/** No letter or digit that is easily taken for another. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 10
const GROUP = 5
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

/** A code for people to type, such as `7KQ2M-XW4DP`. Bytes that would favour a letter are passed over; null when too few are left. */
export function agentCodeOf(randomBytes: Uint8Array): string | null {
  const fair = 256 - (256 % ALPHABET.length)
  const letters = [...randomBytes].filter((byte) => byte < fair).map((byte) => ALPHABET.charAt(byte % ALPHABET.length))
  if (letters.length < LENGTH) return null
  return `${letters.slice(0, GROUP).join('')}-${letters.slice(GROUP, LENGTH).join('')}`
}

/** The code as it is compared: without what people put between or around the letters; null when it is none. */
export function readAgentCode(text: string): string | null {
  if (text.length > 100) return null
  const code = text.toUpperCase().replaceAll(/[\s-]/g, '')
  return CODE.test(code) ? code : null
}
