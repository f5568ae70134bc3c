import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { artifactFile, artifactText, compileContracts } from '../../scripts/compile-contracts.ts'

test('the compiled contracts are those of their sources', () => {
  const compiled = compileContracts()
  expect(compiled.length).toBeGreaterThan(0)
  for (const made of compiled) expect(readFileSync(artifactFile(made.name), 'utf8')).toBe(artifactText(made))
})
