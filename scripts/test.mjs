// Everything that has to hold before a change lands: format and lint, types, unused code, all tests.
// The last line is `N passed, N failed`; the three static checks count as one each.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureAnvil } from './ensure-anvil.mjs'
import { ensureBrowser } from './ensure-browser.mjs'
import { ensureInstalled, keepingCompiled, modernNode, root } from './set-up.mjs'

await ensureInstalled()
ensureAnvil()
const node = modernNode()
const selected = process.argv.slice(2)
if (selected.length === 0) ensureBrowser()

/** Runs a tool of the installed packages with the modern Node. */
function run(title, file, ...rest) {
  console.log(`\n── ${title}`)
  const began = Date.now()
  const options = { cwd: root, stdio: 'inherit', env: keepingCompiled() }
  const done = spawnSync(node, [join(root, 'node_modules', file), ...rest], options)
  const ok = done.status === 0
  console.log(`── ${title}: ${ok ? 'ok' : 'FAILED'} (${((Date.now() - began) / 1000).toFixed(1)} s)`)
  return ok
}

const room = mkdtempSync(join(tmpdir(), 'guildhall-test-'))
const report = join(room, 'report.json')
let passed = 0
let failed = 0
const count = (ok) => (ok ? passed++ : failed++)

if (selected.length === 0) {
  count(run('format and lint', '@biomejs/biome/bin/biome', 'check', '--error-on-warnings'))
  count(run('types', 'typescript/bin/tsc', '--noEmit'))
  count(run('unused code', 'knip/bin/knip.js'))
}
const ran = run(
  'tests',
  'vitest/vitest.mjs',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...selected,
)
try {
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, 'utf8'))
  passed += numPassedTests
  failed += numFailedTests
  // A file that does not load, or an error outside of any test, fails too.
  if (!ran && numFailedTests === 0) failed += Math.max(1, numFailedTestSuites)
} catch {
  failed += 1
}
rmSync(room, { recursive: true, force: true })
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && passed > 0 ? 0 : 1
