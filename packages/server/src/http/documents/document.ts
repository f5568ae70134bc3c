import { etagOf } from '../etag.ts'

/** A public document in the form in which it is sent. */
export type Document<Body = unknown> = {
  /** A string, not a Buffer: V8 starts a full GC after about 64 MB of external (Buffer) memory. */
  readonly text: string
  /** Bytes of the text in UTF-8. */
  readonly length: number
  readonly etag: string
  /** Never set: it carries the type of the body for the compiler. */
  readonly says?: Body
}

export function documentOf<Body>(body: Body): Document<Body> {
  const text = JSON.stringify(body)
  return { text, length: Buffer.byteLength(text), etag: etagOf(text) }
}

/** Bytes that the string takes in memory: V8 stores two per character unless all are ASCII. */
export const memoryOf = ({ text, length }: Document): number => (text.length === length ? length : 2 * text.length)
