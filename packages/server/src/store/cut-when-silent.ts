import type { PoolClient } from 'pg'

/** The driver's internals that are used here: its version is pinned, and a test checks that they still exist. */
type Inner = { readonly _activeQuery: object | null; readonly connection: { readonly stream: { destroy(): void } } }

const LOOKS = 16

/**
 * Closes a connection that has owed the same answer for `afterMs`, so that its caller gets an error. The driver's own timeout
 * sets a timer per statement, and those timers keep results alive long enough to make garbage collection expensive.
 */
export function cutWhenSilent(client: PoolClient, afterMs: number): void {
  const inner = client as unknown as Inner
  let owed: object | null = null
  let looks = 0
  const timer = setInterval(() => {
    looks = inner._activeQuery !== null && inner._activeQuery === owed ? looks + 1 : 0
    owed = inner._activeQuery
    if (looks >= LOOKS) inner.connection.stream.destroy()
  }, afterMs / LOOKS).unref()
  client.once('end', () => clearInterval(timer))
}
