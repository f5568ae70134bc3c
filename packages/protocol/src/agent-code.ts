/** No letter or digit that is easily taken for another. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 10
const GROUP = 5
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)

/**
 * A code for people to type, such as `7KQ2M-XW4DP`. Bytes that would favour some letters are skipped; null when too few are left.
 */
export function agentCodeOf(randomBytes: Uint8Array): string | null {
  const fair = 256 - (256 % ALPHABET.length)
  const letters = [...randomBytes].filter((byte) => byte < fair).map((byte) => ALPHABET.charAt(byte % ALPHABET.length))
  if (letters.length < LENGTH) return null
  return `${letters.slice(0, GROUP).join('')}-${letters.slice(GROUP, LENGTH).join('')}`
}

/** The normalised code, without what people type between or around the letters; null when the text is no code. */
export function readAgentCode(text: string): string | null {
  if (text.length > 100) return null
  const code = text.toUpperCase().replaceAll(/[\s-]/g, '')
  return CODE.test(code) ? code : null
}
