import { isIP } from 'node:net'
import type { MayCall } from './public-address.ts'
import type { ResolveName } from './resolve-name.ts'

/** A URL and the IP addresses of its host, all of which may be called. */
export type CheckedTarget = {
  readonly url: URL
  readonly host: string
  readonly addresses: readonly string[]
}

export type TargetProblem = { readonly kind: 'refused' | 'unreachable'; readonly reason: string }

const USUAL_PORTS = new Set(['', '80', '443'])
const FIRST_FREE_PORT = 1_024

/**
 * Resolves the host of a URL, and refuses the URL when any of the addresses may not be called. `new URL` has already turned
 * spellings such as 127.1 or 0x7f.1 into plain addresses.
 */
export async function checkTarget(
  text: string,
  mayCall: MayCall,
  resolve: ResolveName,
): Promise<CheckedTarget | TargetProblem> {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return refused('The address is not an http or https address.')
  if (url.username !== '' || url.password !== '') return refused('The address carries a user name or password.')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host]
  if (addresses.length === 0) return { kind: 'unreachable', reason: `The name ${host} has no address.` }
  const verdicts = addresses.map(mayCall)
  if (verdicts.includes('no')) return refused('The address is not on the public internet.')
  if (verdicts.includes('public') && !isUsualPort(url.port))
    return refused('The port is kept for other services: use 80, 443 or one from 1024.')
  return { url, host, addresses }
}

const isUsualPort = (port: string): boolean => USUAL_PORTS.has(port) || Number(port) >= FIRST_FREE_PORT

const refused = (reason: string): TargetProblem => ({ kind: 'refused', reason })
