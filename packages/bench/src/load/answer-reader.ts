export type Answer = { readonly status: number; readonly head: string; readonly body: Buffer }

/** Whether the caller was told to retry later. */
export const isRefusal = ({ status, head }: Answer): boolean => status === 503 && /\r\nretry-after: \d/i.test(head)

const HEAD_END = '\r\n\r\n'
const STATUS_AT = 'HTTP/1.1 '.length

/**
 * Cuts a stream of bytes into answers of known length; anything else that HTTP allows is refused. The chunks may be reused
 * afterwards.
 */
export function createAnswerReader(): (chunk: Buffer) => Answer | null {
  let held: Buffer | null = null
  let bodyAt = 0
  let length = 0
  let status = 0
  let head = ''
  return (chunk) => {
    const bytes: Buffer = held === null ? chunk : Buffer.concat([held, chunk])
    const more = () => {
      held = bytes === chunk ? Buffer.from(chunk) : bytes
      return null
    }
    if (bodyAt === 0) {
      const end = bytes.indexOf(HEAD_END)
      if (end === -1) return more()
      head = bytes.toString('latin1', 0, end)
      status = Number(head.slice(STATUS_AT, STATUS_AT + 3))
      length = contentLengthOf(head)
      bodyAt = end + HEAD_END.length
    }
    if (bytes.length < bodyAt + length) return more()
    const body = bytes.subarray(bodyAt, bodyAt + length)
    held = null
    bodyAt = 0
    return { status, head, body }
  }
}

function contentLengthOf(head: string): number {
  const found = /\r\ncontent-length: (\d+)/i.exec(head)
  if (found === null) throw new Error(`An answer came without its length:\n${head}`)
  return Number(found[1])
}
