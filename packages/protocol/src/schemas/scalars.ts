import { z } from 'zod'
import { NETWORK_ID } from '../x402/networks.ts'

const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

const range = (min: number, max: number) =>
  min === 0 ? `At most ${max} characters are allowed.` : `Between ${min} and ${max} characters are needed.`

const counted = (schema: z.ZodString, min: number, max: number) =>
  schema
    .refine((value) => value.length <= max * 2 && codePoints(value) <= max && codePoints(value) >= min, range(min, max))
    .meta({ minLength: min, maxLength: max })

/** Text whose length is counted in Unicode code points. */
export const text = (min: number, max: number) => counted(z.string(), min, max)

/** A short search term: surrounding blanks do not count and are not stored. */
export const label = (max: number) => counted(z.string().trim(), 1, max)

/** Text with at least one visible character. */
export const words = (min: number, max: number) =>
  text(min, max).refine((value) => /[^\s\p{Z}\p{Cc}\p{Cf}]/u.test(value), 'Something that can be read is needed.')

/** A list with a limit; people read what is wrong with it, too. */
export const listOf = <T extends z.ZodType>(item: T, max: number) => z.array(item).max(max, `At most ${max} are taken.`)

/** An optional body field: `null` means absent. */
export const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined)

export const Timestamp = z.string().meta({ format: 'date-time', description: 'ISO-8601, UTC, with milliseconds' })
export const AtomicAmount = z
  .string()
  .regex(/^(0|[1-9]\d*)$/)
  .meta({ description: 'atomic USDC units (6 decimals)' })
export const UsdcAmount = z
  .string()
  .regex(/^\d+(\.\d{1,6})?$/)
  .meta({ description: 'USDC as a decimal number' })
export const TransactionHash = z.string().regex(/^0x[0-9a-fA-F]{64}$/)
export const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'An address has 0x and 40 hexadecimal digits.')
export const AnyNetwork = z.string().regex(NETWORK_ID, 'A CAIP-2 network id is needed, such as eip155:8453.')
export const HexHash = z.string().regex(/^[0-9a-f]{64}$/)
export const AgentId = z.string().meta({ description: 'ag_<base58 public key>' })

/** A UUID of any version and letter case: only its form is checked, not whether it exists. */
export const Uuid = z.guid('A UUID is needed.').meta({ format: 'uuid' })

/** What is too long is refused for that alone: `new URL` throws for some hosts of 18,000 letters that `canParse` accepts. */
export const HttpUrl = (max: number) =>
  text(1, max)
    .refine((value) => value.length > max * 2 || isHttpUrl(value), 'A complete http or https address is needed.')
    .meta({ format: 'uri' })

/** `URL` reads a backslash as a slash, drops tabs and skips slashes; readers that follow RFC 3986 would find another host. */
const NAMES_ITS_HOST = /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i
const NEVER_IN_A_URL = /[\\\s\p{Cc}\p{Bidi_Control}]/u

function isHttpUrl(value: string): boolean {
  if (!NAMES_ITS_HOST.test(value) || NEVER_IN_A_URL.test(value) || !URL.canParse(value)) return false
  const url = new URL(value)
  return (
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.username === '' &&
    url.password === '' &&
    url.hostname !== ''
  )
}

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^(0|[1-9]\d{0,15})$/, `A whole number from ${min} to ${max} is needed.`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `A whole number from ${min} to ${max} is needed.`)

/** An integer in a query string. */
export const queryInteger = (min: number, max: number, fallback: number) =>
  wholeNumber(min, max).default(fallback).meta({ type: 'integer', minimum: min, maximum: max, default: fallback })

/** The same where the default depends on other parameters; the description says how. */
export const optionalQueryInteger = (min: number, max: number, description: string) =>
  wholeNumber(min, max).optional().meta({ type: 'integer', minimum: min, maximum: max, description })

/** A comma-separated list in a query string; blanks around items do not count. */
export const queryList = (length: number, most: number) =>
  z
    .string()
    .transform((value) => value.split(',').map((item) => item.trim()))
    .pipe(listOf(text(1, length), most))
    .optional()
