/** Hashes are hexadecimal text outside of the store and bytes inside, at half the size. */
export const toBytes = (hex: string): Buffer => Buffer.from(hex, 'hex')

export const toHex = (bytes: Buffer): string => bytes.toString('hex')
