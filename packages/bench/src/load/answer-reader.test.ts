import { expect, test } from 'vitest'
import { createAnswerReader } from './answer-reader.ts'

const ANSWER = Buffer.from('HTTP/1.1 201 Created\r\nX-Other: 1\r\ncontent-length: 5\r\n\r\nhello')

test('an answer is whole wherever the network cuts it', () => {
  for (let cut = 0; cut < ANSWER.length; cut++) {
    const read = createAnswerReader()
    expect(read(ANSWER.subarray(0, cut))).toBeNull()
    const answer = read(ANSWER.subarray(cut))
    expect(answer?.status).toBe(201)
    expect(answer?.body.toString()).toBe('hello')
  }
})

test('one answer after the other is read from a connection', () => {
  const read = createAnswerReader()
  expect(read(ANSWER)?.status).toBe(201)
  expect(read(Buffer.from('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'))?.status).toBe(404)
})

test('an answer without a length is refused', () => {
  const read = createAnswerReader()
  expect(() => read(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'))).toThrow('without its length')
})
