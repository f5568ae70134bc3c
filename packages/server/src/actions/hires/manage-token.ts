import { hashText } from '@guildhall/protocol'
import type { Random } from '../../ports/random.ts'

const TOKEN = /^gmt_[A-Za-z0-9_-]{43}$/

/** `gmt_` and 32 random bytes; only its hash is ever stored. */
export const newManageToken = (random: Random): string => `gmt_${Buffer.from(random.bytes(32)).toString('base64url')}`

export const isManageToken = (text: string): boolean => TOKEN.test(text)

export const tokenHash = (token: string): string => hashText(token)
