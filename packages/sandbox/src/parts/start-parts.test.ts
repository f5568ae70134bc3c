import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startParts } from './start-parts.ts'

const running = () => process.getActiveResourcesInfo().filter((kind) => ['ProcessWrap', 'TCPServerWrap'].includes(kind))

test('when one part cannot start, none is left running, not even those that were still starting', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'guildhall-parts-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  await writeFile(join(dataDir, 'identity.json'), 'no keys')
  const before = running()
  const log: string[] = []
  const starting = startParts({ dataDir, databaseUrl: 'postgres://nobody.invalid', log: (line) => log.push(line) })
  await expect(starting).rejects.toThrow(SyntaxError)
  expect(running()).toEqual(before)
})
