import { HOUR } from '@guildhall/protocol'
import { allowInsecureRequests, discovery, type ServerMetadata } from 'openid-client'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { reasonOf } from './why-not-identified.ts'

type Options = {
  readonly issuer: string
  readonly clientId: string
  readonly insecure: boolean
  readonly clock: Clock
  readonly log: Log
}

export type Discovered = { readonly server: ServerMetadata } | { readonly kind: 'unavailable'; readonly reason: string }

const ANSWER_SECONDS = 5
const KEPT_MS = HOUR

/** Reads the issuer's metadata when it is first needed and caches it for a while; a failure is not cached. */
export function createDiscovery({ issuer, clientId, insecure, clock, log }: Options): () => Promise<Discovered> {
  let kept: { readonly server: ServerMetadata; readonly until: number } | null = null
  let asking: Promise<Discovered> | null = null

  async function ask(): Promise<Discovered> {
    try {
      const execute = insecure ? [allowInsecureRequests] : []
      const config = await discovery(new URL(issuer), clientId, undefined, undefined, {
        execute,
        timeout: ANSWER_SECONDS,
      })
      const server = config.serverMetadata()
      if (server.issuer !== issuer) throw new Error(`It calls itself ${server.issuer}.`)
      kept = { server, until: clock.now() + KEPT_MS }
      return { server }
    } catch (error) {
      const reason = reasonOf(error)
      log.warn('the identity provider cannot be reached', { issuer, reason })
      return { kind: 'unavailable', reason }
    } finally {
      asking = null
    }
  }

  return async () => {
    if (kept !== null && clock.now() < kept.until) return { server: kept.server }
    asking ??= ask()
    return asking
  }
}
