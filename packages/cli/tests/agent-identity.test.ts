import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runNode } from './support/run-node.ts'

const MAIN = join(import.meta.dirname, '../src/main.ts')
const guildhall = (words: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
  runNode([MAIN, 'agent', 'identity', ...words], { GUILDHALL_AGENT_KEY: '', ...environment })

test('an agent’s own commands need its key, and say where it has to be', async () => {
  for (const words of [['link'], ['unlink'], ['status']]) {
    const { code, stderr } = await guildhall(words)
    expect([code, stderr.includes('GUILDHALL_AGENT_KEY is missing')]).toEqual([1, true])
    expect(stderr).not.toContain('    at ')
  }
  const { stderr } = await guildhall(['link'], { GUILDHALL_AGENT_KEY: 'not a key' })
  expect(stderr).not.toContain('not a key')
})
