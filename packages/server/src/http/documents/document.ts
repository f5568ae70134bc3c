import { etagOf } from '../etag.ts'

/** What everybody is shown of something, as it is sent. */
export type Document<Body = unknown> = {
  /** A text, not bytes: V8 collects everything as soon as so much of what lies beside its heap has been let go. */
  readonly text: string
  /** In bytes, when it is sent. */
  readonly length: number
  readonly etag: string
  /** Never set: it tells the compiler what the text says. */
  readonly says?: Body
}

export function documentOf<Body>(body: Body): Document<Body> {
  const text = JSON.stringify(body)
  return { text, length: Buffer.byteLength(text), etag: etagOf(text) }
}

/** What a text takes in memory: one character that is not ASCII may make two bytes of each. */
export const memoryOf = ({ text, length }: Document): number => (text.length === length ? length : 2 * text.length)
