import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { DEFAULT_URL } from '../default-url.ts'
import { LONGEST_START_MS } from '../longest-start.ts'
import { PlainError } from '../plain-error.ts'
import type { Narrator } from './narrator.ts'

export type UsedSandbox = {
  readonly url: string
  readonly startedHere: boolean
  /** Stops the sandbox if it was started here; one that was already running keeps running. */
  stop(): Promise<void>
}

type Listener = Pick<Narrator, 'say' | 'progress'>

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
const LOOPBACK = ['127.0.0.1', 'localhost']
const STOP_MS = 30_000
const LOOK_EVERY_MS = 100

/** The sandbox that answers at the address, else one started there for the demo. */
export async function ensureSandbox(address: string, listener: Listener): Promise<UsedSandbox> {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new PlainError(`${address} is not an address such as ${DEFAULT_URL}.`)
  const found = await look(url)
  if (found === 'something else') throw new PlainError(`What answers at ${url.origin} is not a Guildhall sandbox.`)
  if (found === 'sandbox') return { url: url.origin, startedHere: false, stop: async () => {} }
  if (url.protocol !== 'http:' || !LOOPBACK.includes(url.hostname))
    throw new PlainError(`Nothing answers at ${url.origin}, and a sandbox can be started on this machine only.`)
  listener.say(`No sandbox answers at ${url.origin}: one is started for this demo (a few seconds) …`)
  return startSandbox(url, listener)
}

async function look(url: URL): Promise<'sandbox' | 'something else' | 'nothing'> {
  const answer = await fetch(new URL('/v1/sandbox', url), { signal: AbortSignal.timeout(10_000) }).catch(() => null)
  if (answer === null) return 'nothing'
  const body: unknown = await answer.json().catch(() => null)
  return answer.ok && typeof body === 'object' && body !== null && 'networks' in body ? 'sandbox' : 'something else'
}

async function startSandbox(url: URL, listener: Listener): Promise<UsedSandbox> {
  // The pipe closes with this process, however it ends, and the sandbox stops with the pipe.
  const environment = { ...process.env, HOST: '127.0.0.1', PORT: url.port || '80', GUILDHALL_PARENT_PIPE: '1' }
  const child = spawn(process.execPath, [MAIN, 'sandbox'], { env: environment, stdio: 'pipe', detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)))
  const stop = () => stopChild(child)
  try {
    await untilReady(url, child, listener)
  } catch {
    await stop()
    throw new PlainError(`The sandbox did not start. It said:\n${output}`)
  }
  return { url: url.origin, startedHere: true, stop }
}

async function untilReady(url: URL, child: ChildProcess, listener: Listener): Promise<void> {
  const began = performance.now()
  for (;;) {
    if ((await look(url)) === 'sandbox') return
    const waited = performance.now() - began
    if (hasEnded(child) || waited > LONGEST_START_MS) throw new Error('the sandbox is not there')
    listener.progress(`${(waited / 1000).toFixed(1)} s …`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await ended
  clearTimeout(force)
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null
