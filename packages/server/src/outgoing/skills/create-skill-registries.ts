import { limits, type SkillRegistry } from '@guildhall/protocol'
import type { SkillStanding } from '../../domain/skill/skill.ts'
import type { Outgoing } from '../../ports/outgoing.ts'
import type { SkillFinding, SkillRegistries } from '../../ports/skill-registries.ts'
import { type AskRegistry, askThrough, countOf, type Json, lineOf, recordOf } from './registry-answer.ts'

/** The addresses of the registries' APIs; nothing else is called for a skill. */
export type SkillRegistryUrls = {
  readonly npm: string
  readonly npm_downloads: string
  readonly pypi: string
  readonly pypi_downloads: string
  readonly clawhub: string
}

type Look = (name: string) => Promise<SkillFinding>

export function createSkillRegistries(options: {
  readonly outgoing: Outgoing
  readonly urls: SkillRegistryUrls
}): SkillRegistries {
  const ask = askThrough(options.outgoing)
  const looks: Readonly<Record<SkillRegistry, Look>> = {
    npm: npmLook(ask, options.urls),
    pypi: pypiLook(ask, options.urls),
    clawhub: clawhubLook(ask, options.urls),
  }
  const under = new Map<string, Promise<SkillFinding>>()
  return {
    /** Concurrent calls for the same skill share one look-up. */
    look(registry, name) {
      const key = `${registry} ${name}`
      const looking = under.get(key) ?? looks[registry](name).finally(() => under.delete(key))
      under.set(key, looking)
      return looking
    },
  }
}

const npmLook =
  (ask: AskRegistry, { npm, npm_downloads }: SkillRegistryUrls): Look =>
  async (name) => {
    const [about, counted] = await Promise.all([
      ask(`${npm}/${name.replace('/', '%2F')}/latest`),
      ask(`${npm_downloads}/downloads/point/last-month/${name}`),
    ])
    if (about.kind !== 'json') return about
    if (counted.kind === 'unavailable') return counted
    const { version, description, deprecated } = about.value
    const downloads = counted.kind === 'json' ? countOf(counted.value.downloads) : null
    return found(version, description, downloads, deprecated ? 'deprecated' : 'good')
  }

const pypiLook =
  (ask: AskRegistry, { pypi, pypi_downloads }: SkillRegistryUrls): Look =>
  async (name) => {
    const [about, counted] = await Promise.all([
      ask(`${pypi}/pypi/${name}/json`),
      ask(`${pypi_downloads}/api/packages/${name}/recent`),
    ])
    if (about.kind !== 'json') return about
    if (counted.kind === 'unavailable') return counted
    const { version, summary, yanked } = recordOf(about.value.info) ?? {}
    const data: Json = counted.kind === 'json' ? (recordOf(counted.value.data) ?? {}) : {}
    return found(version, summary, countOf(data.last_month), yanked === true ? 'deprecated' : 'good')
  }

const clawhubLook =
  (ask: AskRegistry, { clawhub }: SkillRegistryUrls): Look =>
  async (name) => {
    const about = await ask(`${clawhub}/api/v1/skills/${name}`)
    if (about.kind !== 'json') return about
    const { skill, latestVersion, moderation } = about.value
    const { summary, stats } = recordOf(skill) ?? {}
    const { isSuspicious, isMalwareBlocked } = recordOf(moderation) ?? {}
    const flagged = isSuspicious === true || isMalwareBlocked === true
    const downloads = countOf(recordOf(stats)?.downloads)
    return found(recordOf(latestVersion)?.version, summary, downloads, flagged ? 'flagged' : 'good')
  }

const found = (
  version: unknown,
  description: unknown,
  downloads: number | null,
  standing: SkillStanding,
): SkillFinding => ({
  kind: 'found',
  facts: {
    version: lineOf(version, limits.skill.version),
    description: lineOf(description, limits.skill.description),
    downloads,
    standing,
  },
})
