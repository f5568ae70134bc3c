import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { limits, MINUTE, SECOND } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { createStoppedTimer } from '../../tests/support/stopped-timer.ts'
import { afterFailedMail } from '../domain/mail/after-failed-mail.ts'
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

/** deploy/prometheus.yml does both every 15 seconds. */
const SCRAPED_AND_EVALUATED_MS = 30 * SECOND

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

test('while the mail server is down, MailDoesNotLeave fires before a link to sign in is given up', async () => {
  const rules = await readFile(join(deploy, 'alerts.yml'), 'utf8')
  const rule = /MailDoesNotLeave[\s\S]*?_seconds\) > (\d+)\s+for: (\d+)m/.exec(rules)
  const untilItFires = Number(rule?.[1]) * SECOND + Number(rule?.[2]) * MINUTE + SCRAPED_AND_EVALUATED_MS
  const mail = { id: 'mail_1', to: '', subject: '', text: '', createdAt: 0, expiresAt: limits.owner.linkMs, fence: 1 }
  let givenUp = 0
  for (let attempts = 0; ; attempts++) {
    const again = afterFailedMail({ ...mail, attempts }, givenUp)
    if (again === null) break
    givenUp = again
  }
  expect(untilItFires).toBeLessThan(givenUp)
})
