import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEventParser } from './server-sent-events.ts'

test('blocks carry id, type and data; comments and unknown fields are passed over', () => {
  const parse = createEventParser()
  expect(parse(':\n\nretry: 1000\nid: 7\nevent: task.claimed\ndata: {"a":1}\nwhat: ever\n\n')).toEqual([
    { id: '', type: 'message', data: null },
    { id: '7', type: 'task.claimed', data: '{"a":1}' },
  ])
})

test('an id stays until another comes, a type does not', () => {
  const parse = createEventParser()
  expect(parse('id: 7\nevent: x\n\ndata: a\ndata:b\n\n')).toEqual([
    { id: '7', type: 'x', data: null },
    { id: '7', type: 'message', data: 'a\nb' },
  ])
})

test('pieces may be cut anywhere, and lines may end in any way', () => {
  const line = fc.constantFrom('data: é {"x":1}', 'id: 12', 'event: a.b', ':', 'data', '')
  const ending = fc.constantFrom('\n', '\r', '\r\n')
  const text = fc.array(fc.tuple(line, ending), { maxLength: 30 }).map((lines) => lines.flat().join(''))
  fc.assert(
    fc.property(text, fc.array(fc.nat(40), { maxLength: 20 }), (whole, cuts) => {
      const parse = createEventParser()
      const places = [...new Set([0, ...cuts.filter((cut) => cut < whole.length), whole.length])].sort((a, b) => a - b)
      const pieces = places.map((place, index) => whole.slice(place, places[index + 1] ?? whole.length))
      expect(pieces.flatMap(parse)).toEqual(createEventParser()(whole))
    }),
  )
})
