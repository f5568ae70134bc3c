import type { PoolClient } from 'pg'

/** The parts of the driver that are looked at here: its version is pinned, and a test holds the two together. */
type Inner = { readonly _activeQuery: object | null; readonly connection: { readonly stream: { destroy(): void } } }

const LOOKS = 16

/**
 * Cuts a connection that has owed the same answer for so long: whoever waits for it is told that the connection is lost. The
 * driver would do so with a timer for every statement, and those keep what was read alive for longer than garbage is cheap.
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
