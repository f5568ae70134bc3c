import { DAY, HOUR } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { adoptionOf, isFresh, type SkillRecord, trustOf } from './skill.ts'
import { skillName } from './skill-name.ts'

test.each([
  [null, 0],
  [0, 0],
  [9, 0.1667],
  [999, 0.5],
  [99_999, 0.8333],
  [251_188, 0.9],
  [1_000_000_000, 0.9],
])('adoption by %s downloads is %s', (downloads, adoption) => {
  expect(adoptionOf(downloads)).toBe(adoption)
})

test('what the registry itself warns of is trusted less, or not at all', () => {
  const facts = { version: '1.0.0', description: null, downloads: 999 }
  expect(trustOf({ ...facts, standing: 'good' })).toBe(0.5)
  expect(trustOf({ ...facts, standing: 'deprecated' })).toBe(0.125)
  expect(trustOf({ ...facts, standing: 'flagged' })).toBe(0)
})

test('facts are kept for a day, that there are none for an hour', () => {
  const facts = { version: null, description: null, downloads: 1, standing: 'good' } as const
  const found: SkillRecord = { registry: 'npm', name: 'left-pad', facts, checkedAt: 0 }
  expect([isFresh(found, DAY - 1), isFresh(found, DAY)]).toEqual([true, false])
  const missing = { ...found, facts: null }
  expect([isFresh(missing, HOUR - 1), isFresh(missing, HOUR)]).toEqual([true, false])
})

test.each([
  ['npm', 'left-pad', 'left-pad'],
  ['npm', '@Scope/Name.js', '@Scope/Name.js'],
  ['npm', '@scope/../name', null],
  ['npm', 'a/b', null],
  ['npm', '../etc', null],
  ['npm', 'a?b', null],
  ['npm', 'a b', null],
  ['npm', '', null],
  ['pypi', 'Flask_SQLAlchemy', 'flask-sqlalchemy'],
  ['pypi', 'zope.interface', 'zope-interface'],
  ['pypi', '-x', null],
  ['pypi', 'x/../y', null],
  ['clawhub', 'GifGrep', 'gifgrep'],
  ['clawhub', '@a/b', null],
] as const)('%s writes %s as %s', (registry, text, name) => {
  expect(skillName(registry, text)).toBe(name)
})
