import { expect, test } from 'vitest'
import { betweenMarks } from './marked-text.ts'

const page = 'before\n<!-- measured -->\nold\n<!-- end of measured -->\nafter'

test('the text between the marks is replaced, and can be replaced again', () => {
  const once = betweenMarks(page, 'measured', 'new')
  expect(once).toBe('before\n<!-- measured -->\n\nnew\n\n<!-- end of measured -->\nafter')
  expect(betweenMarks(once, 'measured', 'new')).toBe(once)
})

test('a page without the marks is refused', () => {
  expect(() => betweenMarks(page, 'soaked', 'new')).toThrow('<!-- soaked -->')
})
