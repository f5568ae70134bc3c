import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatSettledCursor, parseSettledCursor } from './settled.ts'

/** Any characters, be they letters, controls or none at all. */
const character = fc.nat(0x10f7ff).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

const place = { settledAt: Date.UTC(2026, 1, 28, 23, 59, 59, 120), taskId: 'task_0000000000000000000042' }

test('a cursor is <settled_at>|<task_id>, and reads back as it was written', () => {
  expect(formatSettledCursor(place)).toBe('2026-02-28T23:59:59.120Z|task_0000000000000000000042')
  expect(parseSettledCursor(formatSettledCursor(place))).toEqual(place)
})

test.each(['2026-02-28T23:59:59.120Z', '2026-02-28T23:59:59.12Z'])(
  'a bare settled_at timestamp is accepted: %s',
  (text) => {
    expect(parseSettledCursor(text)).toEqual({ ...place, taskId: null })
  },
)

test.each([
  '',
  '|',
  'yesterday',
  '2026-02-28',
  '2026-02-28T23:59:59',
  '2026-02-28T23:59:59+01:00',
  '2026-02-30T00:00:00.000Z',
  '2026-02-28T24:00:00.000Z',
  '0000-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.000Z',
  '+012026-01-01T00:00:00.000Z',
  '2026-02-28T23:59:59.120Z|',
  '2026-02-28T23:59:59.120Z|task_x',
  '2026-02-28T23:59:59.120Z|msg_0000000000000000000042',
  '2026-02-28T23:59:59.120Z|task_0000000000000000000042|task_0000000000000000000043',
  "2026-02-28T23:59:59.120Z|' or 1=1",
  'task_1|2026-02-28T23:59:59.120Z',
  ' 2026-02-28T23:59:59.120Z',
])('anything else is no cursor: %s', (text) => {
  expect(parseSettledCursor(text)).toBeNull()
})

test('whatever is written is read back, and whatever is read is written back as the same place', () => {
  const places = fc.record({
    settledAt: fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) }),
    taskId: fc.option(fc.nat().map((number) => `task_${String(number).padStart(30, '0')}`)),
  })
  fc.assert(
    fc.property(places, (there) => {
      expect(parseSettledCursor(formatSettledCursor(there))).toEqual(there)
    }),
  )
  const digits = fc.nat(99).map((number) => String(number).padStart(2, '0'))
  const times = fc.array(digits, { minLength: 7, maxLength: 7 })
  const nearly = fc
    .tuple(times, fc.constantFrom('', '|', `|${place.taskId}`, `|${place.taskId}|`))
    .map(([[a, b, c, d, e, f, g], end]) => `${a}${b}-${c}-${d}T${e}:${f}:${g}Z${end}`)
  const texts = fc.oneof(fc.string({ unit: character }), nearly)
  fc.assert(
    fc.property(texts, (text) => {
      const there = parseSettledCursor(text)
      if (there !== null) expect(parseSettledCursor(formatSettledCursor(there))).toEqual(there)
    }),
  )
})
