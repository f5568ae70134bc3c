import type { SkillRegistry } from '@guildhall/protocol'

const NPM = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i
const PYPI = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i
const CLAWHUB = /^[a-z0-9][a-z0-9._-]*$/i

const canonical: Readonly<Record<SkillRegistry, (text: string) => string | null>> = {
  npm: (text) => (NPM.test(text) ? text : null),
  // PEP 503: letters of either case, and runs of the three separators, are the same name.
  pypi: (text) => (PYPI.test(text) ? text.toLowerCase().replaceAll(/[-_.]+/g, '-') : null),
  clawhub: (text) => (CLAWHUB.test(text) ? text.toLowerCase() : null),
}

/** The name as its registry writes it, or null when no package there can be called so. What passes can stand in a path as it is. */
export const skillName = (registry: SkillRegistry, text: string): string | null => canonical[registry](text)
