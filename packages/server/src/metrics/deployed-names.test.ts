import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createStoppedTimer } from '../../tests/support/stopped-timer.ts'
import { createDoors } from '../http/doors/doors.ts'
import { createMetrics } from './create-metrics.ts'

const deploy = join(import.meta.dirname, '../../../../deploy')
const metrics = createMetrics({
  figures: () => Promise.reject(new Error('not asked for here')),
  unserved: async () => [],
  pool: () => ({ open: 0, idle: 0, waiting: 0 }),
  openStreams: () => 0,
  doors: createDoors(1, createStoppedTimer()).counts,
})

/** A histogram is queried by its parts. */
const namesIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/guildhall_[a-z_]+/g)].map(([name]) => name.replace(/_(count|bucket|sum)$/, ''))),
]

test.each(['alerts.yml', 'grafana-dashboard.json'])('%s asks for figures that exist', async (file) => {
  const shown = new Set(namesIn((await metrics.text()).replaceAll(/^(?!# HELP).*$/gm, '')))
  const asked = namesIn(await readFile(join(deploy, file), 'utf8'))
  expect(asked.length).toBeGreaterThan(5)
  expect(asked.filter((name) => !shown.has(name))).toEqual([])
})

test('every alert is in the table of what to do about it', async () => {
  const [rules, guide] = await Promise.all(
    [join(deploy, 'alerts.yml'), join(deploy, '../docs/operating.md')].map((path) => readFile(path, 'utf8')),
  )
  const alerts = [...(rules ?? '').matchAll(/alert: (\w+)/g)].map(([, name]) => name)
  const rows = [...(guide ?? '').matchAll(/^\| `([A-Z]\w+)` \|/gm)].map(([, name]) => name)
  expect(alerts.length).toBeGreaterThan(5)
  expect(rows.filter((name) => !/^(HOST|PORT|DATABASE_URL|GUILDHALL_)/.test(name ?? '')).toSorted()).toEqual(
    alerts.toSorted(),
  )
})
