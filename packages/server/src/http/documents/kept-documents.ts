import { MINUTE } from '@guildhall/protocol'
import { createAskedBefore } from './asked-before.ts'
import { type Document, documentOf, memoryOf } from './document.ts'
import { createSharedTurns } from './shared-turns.ts'

/** Where a public document comes from; `Nothing` is null where there may be none. */
export type Source<Body, Nothing extends null = never> = {
  /** Unique among all documents. */
  readonly name: string
  /** Changes whenever the shown content does; null when there is none. */
  readonly fingerprint: () => Promise<string | null>
  /** The content, with the fingerprint of the same moment. */
  readonly read: () => Promise<{ readonly fingerprint: string; readonly body: Body } | Nothing>
}

export type KeptDocuments = {
  /** The current document. */
  show<Body, Nothing extends null>(source: Source<Body, Nothing>): Promise<Document<Body> | Nothing>
}

type Options = {
  readonly now: () => number
  readonly mostBytes?: number
  /** Row versions (xmin) repeat after some billions of transactions; no document is kept that long. */
  readonly mostMs?: number
  /** Keeps every document at once and compares it with a fresh one each time; for tests. */
  readonly prove?: boolean
}

type Kept = { readonly fingerprint: string; readonly document: Document; readonly since: number; readonly size: number }

/** Approximate memory of a document besides its text. */
const OVERHEAD_BYTES = 512

/**
 * Cache of rendered public documents. Every request asks the database whether its document is still current, but only by
 * fingerprint, and concurrent requests share the question. The least recently used documents are evicted.
 *
 * A document is kept once it is asked for a second time: most are not, and would only fill the old generation of the heap, whose
 * collection holds everybody up.
 */
export function createKeptDocuments({
  now,
  mostBytes = 64 * 1024 * 1024,
  mostMs = 10 * MINUTE,
  prove = false,
}: Options): KeptDocuments {
  /** The least recently shown first. */
  const kept = new Map<string, Kept>()
  let bytes = 0
  const askedBefore = createAskedBefore()

  function forget(name: string): void {
    bytes -= kept.get(name)?.size ?? 0
    kept.delete(name)
  }

  function keep(name: string, fingerprint: string, document: Document): void {
    forget(name)
    const size = memoryOf(document) + 2 * (name.length + fingerprint.length) + OVERHEAD_BYTES
    kept.set(name, { fingerprint, document, since: now(), size })
    bytes += size
    for (const oldest of kept.keys()) {
      if (bytes <= mostBytes) break
      forget(oldest)
    }
  }

  function moveToEnd(name: string, known: Kept): void {
    kept.delete(name)
    kept.set(name, known)
  }

  async function showAnew<Body, Nothing extends null>(
    source: Source<Body, Nothing>,
  ): Promise<Document<Body> | Nothing> {
    const { name } = source
    const shown = await source.read()
    if (shown === null) {
      forget(name)
      return shown
    }
    const document = documentOf(shown.body)
    if (prove || askedBefore(name)) keep(name, shown.fingerprint, document)
    else forget(name)
    return document
  }

  async function look<Body, Nothing extends null>(source: Source<Body, Nothing>): Promise<Document<Body> | Nothing> {
    const { name } = source
    const known = kept.get(name)
    if (known === undefined || now() - known.since > mostMs) return showAnew(source)
    if ((await source.fingerprint()) !== known.fingerprint) return showAnew(source)
    if (prove) await proveSame(known, source)
    if (kept.get(name) === known) moveToEnd(name, known)
    return known.document as Document<Body>
  }

  const share = createSharedTurns()
  return { show: (source) => share(source.name, () => look(source)) }
}

async function proveSame({ fingerprint, document }: Kept, source: Source<unknown, null>): Promise<void> {
  const fresh = await source.read()
  if (fresh?.fingerprint === fingerprint && documentOf(fresh.body).etag !== document.etag)
    throw new Error(`The document "${source.name}" has changed and its fingerprint has not.`)
}
