import { RpcError } from './rpc-error.ts'

/** A number from 0 to the maximum, as JSON-RPC writes it: a number, or text in decimal or hexadecimal. */
export function wholeNumber(value: unknown, maximum: number): number {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  if (Number.isInteger(number) && number >= 0 && number <= maximum) return number
  throw new RpcError({ code: -32602, message: `${JSON.stringify(value)} is no whole number from 0 to ${maximum}.` })
}
