import { connect, createServer, type Socket } from 'node:net'
import { Client } from 'pg'

/**
 * Where a line is cut: within the transaction, when its commit is asked for but never arrives, or when it was carried out
 * and only the word of it gets lost.
 */
export type Cut = 'within' | 'before the commit' | 'after the commit'

export type DatabaseLine = {
  readonly url: string
  /** Swallows everything, as a broken network does. */
  fallSilent(): void
  speakAgain(): void
  /** Cuts the next transaction that sends this text, once; `happened` says whether it has. */
  cut(text: string, where: Cut): { happened(): boolean }
  close(): Promise<void>
}

type Doomed = { readonly text: string; readonly where: Cut; done: boolean }

/** A line to PostgreSQL that can be made to fail. */
export async function databaseLine(databaseUrl: string): Promise<DatabaseLine> {
  const { host, port } = new Client({ connectionString: databaseUrl })
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  const open = new Set<Socket>()
  let silent = false
  let doomed: Doomed | null = null

  const server = createServer((near) => {
    const far = connect(target)
    const transaction = watchTransactions()
    /** The transaction that is being committed is the doomed one. */
    let committing: Doomed | null = null
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        near.destroy()
        far.destroy()
        open.delete(socket)
      })
    }
    const end = (cut: Doomed) => {
      cut.done = true
      near.destroy()
    }
    near.on('data', (data) => {
      if (silent) return
      const seen = transaction(data, doomed?.text ?? null)
      if (doomed?.done === false && seen.hasText) {
        if (doomed.where === 'within' || (doomed.where === 'before the commit' && seen.commits)) return end(doomed)
        if (doomed.where === 'after the commit' && seen.commits) committing = doomed
      }
      far.write(data)
    })
    far.on('data', (data) => {
      if (silent) return
      if (committing && data.includes('COMMIT')) end(committing)
      else near.write(data)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(databaseUrl)
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  return {
    url: url.href,
    fallSilent() {
      silent = true
    },
    speakAgain() {
      silent = false
    },
    cut(text, where) {
      const cut: Doomed = { text, where, done: false }
      doomed = cut
      return { happened: () => cut.done }
    },
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Reads what a client sends: whether its transaction has sent a text, and whether it asks for the commit now. */
function watchTransactions() {
  let hasText = false
  return (data: Buffer, text: string | null) => {
    const begin = data.lastIndexOf('BEGIN')
    if (begin >= 0) hasText = false
    if (text !== null && data.indexOf(text, Math.max(0, begin)) >= 0) hasText = true
    return { hasText, commits: data.indexOf('COMMIT', Math.max(0, begin)) >= 0 }
  }
}
