import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMetrics } from './create-metrics.ts'

const deploy = join(import.meta.dirname, '../../../../deploy')
const metrics = createMetrics({
  figures: () => Promise.reject(new Error('not asked for here')),
  pool: () => ({ open: 0, idle: 0, waiting: 0 }),
  openStreams: () => 0,
})

/** A histogram is asked for by its parts. */
const namesIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/guildhall_[a-z_]+/g)].map(([name]) => name.replace(/_(count|bucket|sum)$/, ''))),
]

test.each(['alerts.yml', 'grafana-dashboard.json'])('%s asks for figures that exist', async (file) => {
  const shown = new Set(namesIn((await metrics.text()).replaceAll(/^(?!# HELP).*$/gm, '')))
  const asked = namesIn(await readFile(join(deploy, file), 'utf8'))
  expect(asked.length).toBeGreaterThan(5)
  expect(asked.filter((name) => !shown.has(name))).toEqual([])
})
