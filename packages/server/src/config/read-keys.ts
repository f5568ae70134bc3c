/** The registry's key; empty, with a problem added, when the setting is not a key. */
export function secretKey(text: string, problems: string[]): Uint8Array {
  if (/^(0x)?[0-9a-fA-F]{64}$/.test(text)) return Uint8Array.from(Buffer.from(text.replace(/^0x/, ''), 'hex'))
  if (text !== '') problems.push('GUILDHALL_REGISTRY_KEY is not a key: 64 hexadecimal digits are needed.')
  return new Uint8Array(0)
}

/** The key of a wallet; null when there is none. */
export function walletKey(name: string, text: string, problems: string[]): `0x${string}` | null {
  if (/^0x[0-9a-fA-F]{64}$/.test(text)) return text as `0x${string}`
  if (text !== '') problems.push(`${name} is not a key: 0x and 64 hexadecimal digits are needed.`)
  return null
}

/** The address of a wallet; null when there is none. */
export function walletAddress(name: string, text: string, problems: string[]): `0x${string}` | null {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return text.toLowerCase() as `0x${string}`
  problems.push(`${name} is not an address: 0x and 40 hexadecimal digits are needed.`)
  return null
}
