import { etagOf } from '../etag.ts'

/** What everybody is shown of something, as it is sent. */
export type Document<Body = unknown> = {
  readonly bytes: Buffer
  readonly etag: string
  /** Never set: it tells the compiler what the bytes say. */
  readonly says?: Body
}

export function documentOf<Body>(body: Body): Document<Body> {
  const bytes = bytesOf(JSON.stringify(body))
  return { bytes, etag: etagOf(bytes) }
}

/** In memory of its own: cut from a block that small buffers share, a document that is kept would keep the whole block. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}
