import { expect, test } from 'vitest'
import { keepUnanswered } from './unanswered.ts'

const paid = { call: { path: '/v1/owner/tasks', csrf: 'c', key: 'k', body: { title: 'Count' } }, payment: 'signed' }

function newStorage() {
  const items = new Map<string, string>()
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  }
}

test('a payment without an answer is there after a reload, for the same person and purpose alone', () => {
  const storage = newStorage()
  keepUnanswered('ada /v1/owner/tasks', storage).set(paid)
  expect(keepUnanswered('ada /v1/owner/tasks', storage).get()).toEqual(paid)
  expect(keepUnanswered('bob /v1/owner/tasks', storage).get()).toBeNull()
})

test('once its answer is known, it is there no more', () => {
  const storage = newStorage()
  const unanswered = keepUnanswered('ada /v1/owner/tasks', storage)
  unanswered.set(paid)
  unanswered.set(null)
  expect(unanswered.get()).toBeNull()
  expect(keepUnanswered('ada /v1/owner/tasks', storage).get()).toBeNull()
})
