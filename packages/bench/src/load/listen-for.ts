/** Takes the chunks of a stream and says once when the wanted text has come, wherever the network cuts it. */
export function listenFor(wanted: string, found: () => void): (chunk: Buffer) => void {
  let end = ''
  let isFound = false
  return (chunk) => {
    if (isFound) return
    const text = end + chunk.toString('latin1')
    isFound = text.includes(wanted)
    if (isFound) found()
    end = text.slice(-wanted.length)
  }
}
