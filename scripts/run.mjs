// Installs what is missing, then runs a TypeScript file with Node 24: `node scripts/run.mjs FILE [arguments]`.
// Plain JavaScript without dependencies, because it has to run on a fresh machine with Node 20.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { ensureAnvil } from './ensure-anvil.mjs'
import { ensureInstalled, keepingCompiled, modernNode, root } from './set-up.mjs'

await ensureInstalled()
ensureAnvil()
const child = spawn(modernNode(), process.argv.slice(2), { cwd: root, stdio: 'inherit', env: keepingCompiled() })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
if (process.env.npm_lifecycle_event !== undefined) endWithParent()
child.on('exit', (code, signal) => {
  if (signal) process.exitCode = 128 + constants.signals[signal]
  else process.exitCode = code ?? 1
})

/** A SIGTERM to npm ends only the shell between npm and us, and a SIGKILL only npm: we notice that our parent is another one. */
function endWithParent() {
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref()
}
