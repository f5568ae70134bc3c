import { limits } from '@guildhall/protocol'
import { isoTime } from '../domain/instant.ts'
import type { SkillStanding } from '../domain/skill/skill.ts'
import type { SkillReads, SkillWrites } from '../ports/skill-store.ts'
import type { Connection } from './connection.ts'

const read = `
select found, version, description, downloads, standing, checked_at from skills where registry = $1 and name = $2`

/** Of two concurrent look-ups the later one stays. */
const save = `
insert into skills as known (registry, name, found, version, description, downloads, standing, checked_at, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
on conflict (registry, name) do update set
  found = excluded.found, version = excluded.version, description = excluded.description, downloads = excluded.downloads,
  standing = excluded.standing, checked_at = excluded.checked_at, expires_at = excluded.expires_at
where known.checked_at <= excluded.checked_at`

type SkillRow = {
  readonly found: boolean
  readonly version: string | null
  readonly description: string | null
  readonly downloads: bigint | null
  readonly standing: SkillStanding
  readonly checked_at: number
}

export const skillReads = (connection: Connection): SkillReads => ({
  async skill(registry, name) {
    const row = await connection.first<SkillRow>(read, [registry, name])
    if (row === null) return null
    const { found, version, description, downloads, standing, checked_at: checkedAt } = row
    const facts = { version, description, downloads: downloads === null ? null : Number(downloads), standing }
    return { registry, name, facts: found ? facts : null, checkedAt }
  },
})

export const skillWrites = (connection: Connection): SkillWrites => ({
  async saveSkill({ registry, name, facts, checkedAt }) {
    const said = [
      facts?.version ?? null,
      facts?.description ?? null,
      facts?.downloads ?? null,
      facts?.standing ?? 'good',
    ]
    const times = [isoTime(checkedAt), isoTime(checkedAt + limits.skill.keptMs)]
    await connection.change(save, [registry, name, facts !== null, ...said, ...times])
  },
})
