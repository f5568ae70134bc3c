import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { codeBlocks, readText, root } from './support/readme.ts'

const PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'GLOSSARY.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'docs/operating.md',
  'docs/performance.md',
]

test('the README’s map names every package and nothing that is not there', () => {
  const map = codeBlocks(readText('README.md'), '').find((block) => block.includes('packages/'))
  const named = (map ?? '').split('\n').flatMap((line) => line.match(/^\S+/)?.[0] ?? [])
  const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/`)
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(packages.filter((path) => !named.includes(path))).toEqual([])
})

test.each(PAGES)('every link of %s leads somewhere', (page) => {
  const links = [...readText(page).matchAll(/\]\(([^)#]+)/g)].map(([, target = '']) => target)
  const broken = links.filter((target) => !existsSync(join(root, dirname(page), target)))
  expect(broken).toEqual([])
})

test('docs/operating.md explains every setting that the service reads', () => {
  const config = 'packages/server/src/config'
  const code = readdirSync(join(root, config))
    .map((file) => readText(`${config}/${file}`))
    .join('\n')
  const settings = new Set(code.match(/GUILDHALL_[A-Z_]*[A-Z]\b(?!_)/g))
  const page = readText('docs/operating.md')
  expect(settings.size).toBeGreaterThan(20)
  expect([...settings].filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

test('the glossary explains no word twice', () => {
  const words = [...readText('GLOSSARY.md').matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, word]) => word)
  expect(words.length).toBeGreaterThan(50)
  expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([])
})
