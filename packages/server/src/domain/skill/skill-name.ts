import type { SkillRegistry } from '@guildhall/protocol'

const NPM = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i
const PYPI = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i
const CLAWHUB = /^[a-z0-9][a-z0-9._-]*$/i

const canonical: Readonly<Record<SkillRegistry, (text: string) => string | null>> = {
  npm: (text) => (NPM.test(text) ? text : null),
  // PEP 503: letter case and runs of the three separators do not distinguish names.
  pypi: (text) => (PYPI.test(text) ? text.toLowerCase().replaceAll(/[-_.]+/g, '-') : null),
  clawhub: (text) => (CLAWHUB.test(text) ? text.toLowerCase() : null),
}

/** The registry's canonical form of the name, or null if no package there can have it. The result is safe in a URL path. */
export const skillName = (registry: SkillRegistry, text: string): string | null => canonical[registry](text)
