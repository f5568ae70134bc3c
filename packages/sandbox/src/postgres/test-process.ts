import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

export type Identity = { readonly uid?: number; readonly gid?: number }

/** For tests: another Node process that runs a few lines; `load(name)` imports a file of this directory. */
export function runScript(
  lines: string,
  options: Identity & { readonly env?: Record<string, string> } = {},
): ChildProcess {
  const here = pathToFileURL(`${import.meta.dirname}/`)
  const code = `const load = (name) => import(new URL(name, '${here}'));(async () => {${lines}})()`
  const { env, ...identity } = options
  return spawn(process.execPath, ['-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: '/',
    env: { ...process.env, ...env },
    ...identity,
  })
}

/** The first line it prints, or null when it ends without one. */
export async function firstLine(child: ChildProcess): Promise<string | null> {
  if (!child.stdout) return null
  for await (const line of createInterface(child.stdout)) return line
  return null
}

export async function killAndWait(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
