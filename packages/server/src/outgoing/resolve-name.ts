import { Resolver } from 'node:dns/promises'

const TRY_MS = 2_000
const TRIES = 2

export type ResolveName = (name: string) => Promise<readonly string[]>

/**
 * Does not use getaddrinfo: a few names that never resolve would fill its thread pool.
 * `localhost` needs no lookup (RFC 6761).
 */
export const resolveName: ResolveName = async (name) => {
  if (/^(.+\.)?localhost\.?$/i.test(name)) return ['127.0.0.1', '::1']
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
  const found = await Promise.all([resolver.resolve4(name).catch(() => []), resolver.resolve6(name).catch(() => [])])
  return found.flat()
}
