import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serviceFlags } from './service-environment.ts'

const root = join(import.meta.dirname, '../../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const dockerfile = read('deploy/Dockerfile')
const copied = [...dockerfile.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '))

/** The packages of this repository that a node imports, directly or through others. */
function packagesOf(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  const { dependencies = {} } = JSON.parse(read(`packages/${name}/package.json`)) as { dependencies?: object }
  for (const dependency of Object.keys(dependencies))
    if (dependency.startsWith('@guildhall/')) packagesOf(dependency.slice('@guildhall/'.length), found)
  return found
}

test('the image has every package that a node imports, and no other', () => {
  const whole = copied.filter((path) => /^packages\/\w+$/.test(path))
  expect(whole.toSorted()).toEqual([...packagesOf('cli')].map((name) => `packages/${name}`).toSorted())
})

test('what the image is built from exists, and the package file of each package is there before the installation', () => {
  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([])
  const beforehand = dockerfile.slice(0, dockerfile.indexOf('RUN npm install'))
  for (const name of packagesOf('cli')) expect(beforehand).toContain(`COPY packages/${name}/package.json`)
})

test.each(['deploy/Dockerfile', 'docs/operating.md'])('%s starts a node with the flags of the sandbox', (path) => {
  const started = /node["`]?,? (?:"?--\S+\s+)+/.exec(read(path))?.[0] ?? ''
  expect([...started.matchAll(/--[\w=-]+/g)].map(([flag]) => flag)).toEqual(serviceFlags)
})
