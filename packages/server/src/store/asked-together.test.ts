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
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  async function inTurns(...turns: readonly (readonly string[])[]) {
    const answers: Promise<string | null>[] = []
    for (const questions of turns) {
      answers.push(...questions.map(ask))
      await turn()
    }
    return answers
  }
  return { inTurns, sent, turn }
}

test('the questions of one turn go together, and so do those that come while two statements are on their way', async () => {
  const { inTurns, sent, turn } = asking()
  const answers = await inTurns(['a', 'b', 'a'], ['c'], ['d', 'a'], ['unknown', 'a'])
  expect(sent.map(({ questions }) => questions)).toEqual([['a', 'b'], ['c']])
  sent[0]?.answer()
  await turn()
  expect(sent[2]?.questions).toEqual(['d', 'a', 'unknown'])
  sent[1]?.answer()
  sent[2]?.answer()
  expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'a!', 'c!', 'd!', 'a!', null, 'a!'])
})

test('a statement takes a hundred questions at most', async () => {
  const { inTurns, sent, turn } = asking()
  const answers = await inTurns(
    ['first'],
    ['second'],
    Array.from({ length: 150 }, (_, nr) => String(nr)),
  )
  for (let nr = 0; nr < 4; nr++) {
    sent[nr]?.answer()
    await turn()
  }
  expect(sent.map(({ questions }) => questions.length)).toEqual([1, 1, 100, 50])
  expect((await Promise.all(answers)).at(-1)).toBe('149!')
})

test('a statement that fails, fails for its own questions only', async () => {
  const { inTurns, sent, turn } = asking()
  const [first, second, third] = await inTurns(['a'], ['b'], ['c'])
  sent[0]?.fail()
  await expect(first).rejects.toThrow('lost')
  sent[1]?.answer()
  await turn()
  sent[2]?.answer()
  expect([await second, await third]).toEqual(['b!', 'c!'])
})
