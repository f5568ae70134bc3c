import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'

/**
 * The shell becomes the program, so that its pid is the program's. The watcher it leaves behind reads our pipe: a line means that the
 * program has ended, the end of the pipe means that we have. It is forked twice so that the program does not find a child that it
 * does not know. A shutdown that hangs on SIGINT is cut short.
 */
const script = `
(
  (
    trap '' INT TERM HUP QUIT
    read -r line <&3 && exit
    for signal in INT QUIT KILL; do
      kill -$signal $$ || exit
      tries=0
      while [ $tries -lt 40 ]; do
        sleep 0.1
        kill -0 $$ || exit
        tries=$((tries + 1))
      done
    done
  ) >/dev/null 2>&1 &
)
exec "$@" 3<&-
`

export type Account = { readonly uid: number; readonly gid: number }

/** How PostgreSQL is run: `prefix` precedes its command, `identity` is passed to `spawn`, and its files belong to `owner`. */
export type RunAs = {
  readonly prefix: readonly string[]
  readonly identity: Partial<Account>
  readonly owner: Account
}

export type Program = {
  readonly runAs: RunAs
  readonly path: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Starts a program that does not outlive this process, and that a Ctrl-C in the terminal does not reach. */
export function spawnGuarded({ runAs, path, args, env }: Program): ChildProcess {
  const child = spawn('/bin/sh', ['-c', script, 'guard', ...runAs.prefix, path, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...env },
    ...runAs.identity,
  })
  // Not its standard input: Node closes that by itself when the program ends, before a line could be written.
  const pipe = child.stdio[3] as Writable
  pipe.on('error', () => {})
  child.on('exit', () => pipe.end('ended\n'))
  return child
}

/** Runs a program to its end and returns what it printed. */
export async function runGuarded(program: Program): Promise<{ readonly ok: boolean; readonly output: string }> {
  const child = spawnGuarded(program)
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout?.on('data', collect)
  child.stderr?.on('data', collect)
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ ok: false, output: error.message }))
    child.on('close', (code) => resolve({ ok: code === 0, output: output.trim() }))
  })
}
