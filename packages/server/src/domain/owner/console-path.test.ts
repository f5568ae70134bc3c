import { expect, test } from 'vitest'
import { consolePath } from './console-path.ts'

test.each(['/console', '/console/agents', '/console/tasks/task_1?page=2&q=a+b%20c'])('%s is in the console', (path) =>
  expect(consolePath(path)).toBe(path),
)

test.each([
  '',
  '/',
  '/consoles',
  '/console/',
  '/console//evil.example',
  '/console/../v1/x',
  '/console/..',
  '//evil.example/console',
  '/\\evil.example',
  '/console\\evil',
  'https://evil.example/console',
  'javascript:alert(1)',
  '/console?next=//evil.example',
  '/console\r\nSet-Cookie: a=b',
  '/console#x',
  ` /console`,
  `/console/${'a'.repeat(500)}`,
])('%j is not', (path) => expect(consolePath(path)).toBeNull())
