import { expect, test } from 'vitest'
import { escrowAfter } from './lifecycle.ts'

test.each(['releasing', 'refunding'] as const)(
  'a deposit that the chain took back while it was %s goes on leaving once it is proven again',
  (leaving) => {
    expect(escrowAfter(leaving, 'deposit undone')).toBe(leaving)
    expect(escrowAfter(leaving, 'deposit proven')).toBe(leaving)
  },
)

test('a deposit that the chain took back while it was held has to be proven again', () => {
  expect(escrowAfter('funded', 'deposit undone')).toBe('funding')
  expect(escrowAfter('funding', 'deposit proven')).toBe('funded')
})

test('what cannot happen is a fault of ours', () => {
  expect(() => escrowAfter('released', 'refund')).toThrow("escrow is released: 'refund' cannot happen")
})
