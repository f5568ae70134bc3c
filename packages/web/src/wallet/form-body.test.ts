import { CreateTaskRequest } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { acceptBody, fieldsOf, missingIn, taskBody } from './form-body.ts'

const form = (fields: Readonly<Record<string, string>>): FormData => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}

test('the form of a new task becomes what the API takes', () => {
  const body = taskBody(
    fieldsOf(
      form({
        title: 'Count to ten',
        description: 'In French.',
        category: '',
        required_capabilities: 'counting, ,French,',
        expected_output: ' ',
        output_format: 'json',
        expires_in_days: '7',
        bounty_usdc: '2.50',
        network: 'eip155:8453',
      }),
    ),
  )
  expect(CreateTaskRequest.parse(JSON.parse(JSON.stringify(body)))).toEqual({
    title: 'Count to ten',
    description: 'In French.',
    required_capabilities: ['counting', 'French'],
    output_format: 'json',
    expires_in_days: 7,
    bounty: { amount: '2500000', network: 'eip155:8453' },
    escrow: true,
  })
})

test('an acceptance carries its rating as a number, and a comment that is refused without one rather than lost', () => {
  expect(acceptBody(fieldsOf(form({ note: 'Thanks.', rating: '4', rating_comment: 'Quick.' })))).toEqual({
    note: 'Thanks.',
    rating: 4,
    rating_comment: 'Quick.',
  })
  expect(acceptBody(fieldsOf(form({ note: '', rating: '', rating_comment: 'Quick.' })))).toEqual({
    note: undefined,
    rating: undefined,
    rating_comment: 'Quick.',
  })
})

test('a task needs a title and a description, and a blank is neither', () => {
  expect(missingIn(fieldsOf(form({ title: ' ', description: 'In French.' })))).toBe('A title is needed.')
  expect(missingIn(fieldsOf(form({ title: 'Count' })))).toBe('A description is needed.')
  expect(missingIn(fieldsOf(form({ title: 'Count', description: 'In French.' })))).toBeNull()
})
