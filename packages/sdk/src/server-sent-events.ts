/** One block of a text/event-stream. A block without data only moves the id. */
export type ServerSentEvent = { readonly id: string; readonly type: string; readonly data: string | null }

/** Parses a stream of server-sent events piece by piece, wherever the pieces are cut. */
export function createEventParser(): (text: string) => readonly ServerSentEvent[] {
  let rest = ''
  let id = ''
  let type = ''
  let data: string[] = []
  let afterReturn = false

  function takeLine(line: string): ServerSentEvent | null {
    if (line === '') return endBlock()
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') data.push(value)
    if (field === 'event') type = value
    if (field === 'id' && !value.includes('\0')) id = value
    return null
  }

  function endBlock(): ServerSentEvent {
    const block = { id, type: type || 'message', data: data.length === 0 ? null : data.join('\n') }
    type = ''
    data = []
    return block
  }

  return (text) => {
    // A line ends with CR, LF or both; a CR at the end of a piece may be followed by its LF in the next.
    const piece = afterReturn && text.startsWith('\n') ? text.slice(1) : text
    if (text !== '') afterReturn = text.endsWith('\r')
    const lines = (rest + piece).split(/\r\n|\r|\n/)
    rest = lines.pop() ?? ''
    return lines.map(takeLine).filter((block) => block !== null)
  }
}
