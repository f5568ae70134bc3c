import type { SkillRegistryUrls } from '../outgoing/skills/create-skill-registries.ts'

const SKILL_REGISTRIES: SkillRegistryUrls = {
  npm: 'https://registry.npmjs.org',
  npm_downloads: 'https://api.npmjs.org',
  pypi: 'https://pypi.org',
  pypi_downloads: 'https://pypistats.org',
  clawhub: 'https://clawhub.ai',
}

/** The public registries, except where the setting gives another address. */
export function skillRegistriesOf(text: string, problems: string[]): SkillRegistryUrls {
  const given = parsedObject(text)
  const wrong = Object.entries(given ?? { '': '' }).filter(
    ([name, url]) =>
      !Object.hasOwn(SKILL_REGISTRIES, name) || typeof url !== 'string' || !/^https?:/.test(url) || !URL.canParse(url),
  )
  if (wrong.length > 0) {
    problems.push(
      `GUILDHALL_SKILL_REGISTRIES is not a JSON object of addresses under ${Object.keys(SKILL_REGISTRIES).join(', ')}.`,
    )
    return SKILL_REGISTRIES
  }
  const urls = Object.entries({ ...SKILL_REGISTRIES, ...given }).map(([name, url]) => [name, url.replace(/\/+$/, '')])
  return Object.fromEntries(urls) as SkillRegistryUrls
}

function parsedObject(text: string): Record<string, string> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, string>) : null
  } catch {
    return null
  }
}
