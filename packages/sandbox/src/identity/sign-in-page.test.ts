import { expect, test } from 'vitest'
import { signInPage } from './sign-in-page.ts'

test('who sends every field of the form signs in: only what a person types has a name', () => {
  const named = [...signInPage('uid').matchAll(/<(?:input|button)[^>]* name="([^"]+)"/g)].map(([, name]) => name)
  expect(named).toEqual(['email', 'name'])
})
