import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agentCodeOf, readAgentCode } from './agent-code.ts'

/** Any characters, be they letters, controls or none at all. */
const character = fc.nat(0x10f7ff).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

test('a code has two groups of five letters and digits that nobody mistakes for others', () => {
  for (let round = 0; round < 200; round++) {
    const code = agentCodeOf(crypto.getRandomValues(new Uint8Array(32)))
    expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{5}-[2-9A-HJKMNP-TV-Z]{5}$/)
    expect(readAgentCode(code ?? '')).toBe(code?.replace('-', ''))
  }
})

test('bytes that would favour some letters are passed over', () => {
  expect(agentCodeOf(new Uint8Array(32).fill(255))).toBeNull()
  expect(agentCodeOf(Uint8Array.of(255, ...Array(10).fill(0)))).toBe('22222-22222')
})

test('a code is read however it is typed, and nothing else is one', () => {
  expect(readAgentCode(' 7kq2m xw4dp\n')).toBe('7KQ2MXW4DP')
  for (const text of ['', '7KQ2M-XW4D', '7KQ2M-XW4DPP', '7KQ2M-XW4D0', 'OOOOO-IIIII', '7'.repeat(1_000)])
    expect(readAgentCode(text)).toBeNull()
})

test('any text is refused or is the one code that it reads as', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: character }), fc.stringMatching(/^[ 2-9A-Za-zß-]{8,14}$/)), (text) => {
      const code = readAgentCode(text)
      if (code === null) return
      expect(code).toMatch(/^[2-9A-HJKMNP-TV-Z]{10}$/)
      expect(readAgentCode(code)).toBe(code)
    }),
  )
})
