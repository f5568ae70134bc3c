import { expect, test } from 'vitest'
import { createSharedTurns } from './shared-turns.ts'

/** Work that ends when it is told to. */
function workshop() {
  const share = createSharedTurns()
  const begun: PromiseWithResolvers<string>[] = []
  const ask = (name = 'a') =>
    share(name, () => {
      const work = Promise.withResolvers<string>()
      begun.push(work)
      return work.promise
    })
  return { ask, begun, settle: () => new Promise((resolve) => setImmediate(resolve)) }
}

test('calls that come while one is running share the next turn, which begins after all of them', async () => {
  const { ask, begun, settle } = workshop()
  const first = ask()
  const others = [ask(), ask(), ask()]
  await settle()
  expect(begun).toHaveLength(1)
  begun[0]?.resolve('early')
  expect(await first).toBe('early')
  await settle()
  expect(begun).toHaveLength(2)
  const late = ask()
  begun[1]?.resolve('shared')
  expect(await Promise.all(others)).toEqual(['shared', 'shared', 'shared'])
  await settle()
  begun[2]?.resolve('late')
  expect(await late).toBe('late')
})

test('calls for different things do not wait for each other', async () => {
  const { ask, begun } = workshop()
  const [, other] = [ask('a'), ask('b')]
  expect(begun).toHaveLength(2)
  begun[1]?.resolve('done')
  expect(await other).toBe('done')
})

test('a turn that fails fails for those who share it, and the next one still takes place', async () => {
  const { ask, begun, settle } = workshop()
  const first = ask()
  const second = ask()
  begun[0]?.reject(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  await settle()
  begun[1]?.resolve('done')
  expect(await second).toBe('done')
  const third = ask()
  expect(begun).toHaveLength(3)
  begun[2]?.resolve('again')
  expect(await third).toBe('again')
})
