import { hashText } from '@guildhall/protocol'
import type { Random } from '../../ports/random.ts'

/** 32 random bytes as 43 characters. Only the hash is ever stored. */
export const newSecretToken = (random: Random): string => Buffer.from(random.bytes(32)).toString('base64url')

export const secretHash = (token: string): string => hashText(token)
