import { etagOf } from '../etag.ts'

/** What everybody is shown of something, as it is sent. */
export type Document<Body = unknown> = {
  readonly bytes: Buffer
  readonly etag: string
  /** Never set: it tells the compiler what the bytes say. */
  readonly says?: Body
}

export function documentOf<Body>(body: Body): Document<Body> {
  const bytes = Buffer.from(JSON.stringify(body))
  return { bytes, etag: etagOf(bytes) }
}
