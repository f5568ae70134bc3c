import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { createChance } from './chance.ts'
import { mishaps } from './mishaps.ts'
import type { Stage } from './stage/start-stage.ts'

test.each(['node 1 killed', 'node 1 told to stop', 'node 1 frozen'])(
  '%s, which has ended by itself a moment before, is no failure of the run',
  async (name) => {
    const node = spawn(process.execPath, ['--eval', ''])
    await once(node, 'exit')
    const stage = { nodes: [{ pid: () => node.pid ?? null }] } as unknown as Stage
    const mishap = mishaps.find((one) => one.name === name)
    await expect(mishap?.happen(stage, createChance(1))).resolves.toBeUndefined()
  },
)
