import { expect, test } from 'vitest'
import { progressBar } from './progress-bar.ts'

test('a bar shows how far the check has come, and is not drawn for every entry', () => {
  const drawn: string[] = []
  const draw = progressBar({ progress: (text) => void drawn.push(text) }, 2_000)
  for (let done = 500; done <= 1_000; done++) draw(done)
  expect(drawn[0]).toMatch(/^█{7}░{23} {2}500 of 2,000 {2}[\d,]+\/s$/)
  expect(drawn.length).toBeLessThan(100)
})
