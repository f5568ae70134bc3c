import { expect, test } from 'vitest'
import { askedTogether } from './asked-together.ts'

function asking() {
  const sent: { readonly questions: readonly string[]; answer(): void; fail(): void }[] = []
  const ask = askedTogether<string>((questions) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, string>>()
    const known = questions.filter((question) => question !== 'unknown')
    sent.push({
      questions,
      answer: () => resolve(new Map(known.map((question) => [question, `${question}!`]))),
      fail: () => reject(new Error('lost')),
    })
    return promise
  })
  return { ask, sent, settle: () => new Promise((resolve) => setImmediate(resolve)) }
}

test('a question is sent at once, and those that come while two are on their way go together', async () => {
  const { ask, sent, settle } = asking()
  const answers = ['a', 'b', 'c', 'a', 'unknown', 'a'].map((question) => ask(question))
  expect(sent.map(({ questions }) => questions)).toEqual([['a'], ['b']])
  sent[0]?.answer()
  await settle()
  expect(sent[2]?.questions).toEqual(['c', 'a', 'unknown'])
  sent[1]?.answer()
  sent[2]?.answer()
  expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'c!', 'a!', null, 'a!'])
})

test('a statement takes a hundred questions at most', async () => {
  const { ask, sent, settle } = asking()
  const answers = Array.from({ length: 152 }, (_, nr) => ask(String(nr)))
  for (let nr = 0; nr < 4; nr++) {
    sent[nr]?.answer()
    await settle()
  }
  expect(sent.map(({ questions }) => questions.length)).toEqual([1, 1, 100, 50])
  expect((await Promise.all(answers)).at(-1)).toBe('151!')
})

test('a statement that fails, fails for its own questions only', async () => {
  const { ask, sent, settle } = asking()
  const [first, second, third] = ['a', 'b', 'c'].map((question) => ask(question))
  sent[0]?.fail()
  await expect(first).rejects.toThrow('lost')
  sent[1]?.answer()
  await settle()
  sent[2]?.answer()
  expect([await second, await third]).toEqual(['b!', 'c!'])
})
