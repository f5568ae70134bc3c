import { expect, test } from 'vitest'
import { listenFor } from './listen-for.ts'

const STREAM = Buffer.from('id: 1\n\nevent: wanted\ndata: {}\n\nevent: wanted\n')

test('a text is heard once, wherever the network cuts it', () => {
  for (let cut = 0; cut <= STREAM.length; cut++) {
    let times = 0
    const listen = listenFor('event: wanted', () => times++)
    listen(STREAM.subarray(0, cut))
    listen(STREAM.subarray(cut))
    expect(times).toBe(1)
  }
})

test('a text that comes byte by byte is heard, and another is not', () => {
  let times = 0
  const [listen, other] = [listenFor('event: wanted', () => times++), listenFor('event: others', () => times++)]
  for (const byte of STREAM) {
    listen(Buffer.of(byte))
    other(Buffer.of(byte))
  }
  expect(times).toBe(1)
})
