import { type ChildProcess, spawn } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { anvilBinary } from './anvil-binary.ts'
import { NodeLost, RpcError } from './rpc-error.ts'

/** A running node. It mines only when told to, and its clock stands still between blocks. */
export type Anvil = {
  readonly pid: number
  readonly exited: Promise<void>
  call(method: string, params: readonly unknown[]): Promise<unknown>
  /** Forwards a JSON-RPC request; both it and the answer are text. */
  forward(body: string): Promise<string>
  kill(): Promise<void>
}

/** How many of the newest blocks' states can be read; without a limit the node writes old ones to disk, megabytes each. */
export const STATES_KEPT = 64

type Options = { readonly genesis: string; readonly chainId: number; readonly scratchDirectory: string }

export async function startAnvil(options: Options): Promise<Anvil> {
  // What an earlier node left there is of no use: everything comes from the journal.
  await rm(options.scratchDirectory, { recursive: true, force: true })
  const child = spawn(anvilBinary(), nodeArguments(options), {
    // A group of its own, or Ctrl-C would end the node before the service that uses it.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const port = await listeningPort(child)
  const pid = child.pid ?? 0
  const guard = guardAgainstOrphan(pid)
  const agent = new Agent({ keepAlive: true })
  void exited.then(() => {
    guard?.kill('SIGKILL')
    agent.destroy()
  })

  const forward = (body: string) => post(agent, port, body)
  const call = async (method: string, params: readonly unknown[]) => {
    const answer = JSON.parse(await forward(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })))
    if (answer.error) throw new RpcError(answer.error)
    return answer.result
  }
  const kill = () => {
    child.kill('SIGKILL')
    return exited
  }
  await call('anvil_setLoggingEnabled', [false]).catch(async (error: unknown) => {
    await kill()
    throw error
  })
  return { pid, exited, call, forward, kill }
}

function nodeArguments({ genesis, chainId, scratchDirectory }: Options): string[] {
  const settings = {
    host: '127.0.0.1',
    port: 0,
    'chain-id': chainId,
    init: genesis,
    hardfork: 'prague',
    order: 'fifo',
    'prune-history': STATES_KEPT,
    'cache-path': scratchDirectory,
    'slots-in-an-epoch': 1,
  }
  const flags = ['--no-mining', '--no-request-size-limit', '--no-cors', '--color', 'never']
  return [...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]), ...flags]
}

function listeningPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const said: string[] = []
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue
      createInterface({ input: stream }).on('line', (line) => {
        const port = /^Listening on .*:(\d+)$/.exec(line)?.[1]
        if (port) resolve(Number(port))
        if (said.length < 100) said.push(line)
      })
    }
    child.once('error', (cause) =>
      reject(new Error('The local chain cannot be started: is anvil installed? Foundry brings it.', { cause })),
    )
    child.once('exit', (code) => reject(new NodeLost(`The local chain ended at once (${code}): ${said.join('\n')}`)))
  })
}

/** Ends the node when this process ends, however it ends: the shell's input closes then. */
function guardAgainstOrphan(pid: number): ChildProcess | null {
  if (process.platform === 'win32') return null
  const guard = spawn('/bin/sh', ['-c', 'read -r _; kill -9 "$0"', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.on('error', () => {})
  guard.unref()
  return guard
}

function post(agent: Agent, port: number, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const lost = (cause: Error) => reject(new NodeLost('The local chain does not answer.', { cause }))
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    request({ host: '127.0.0.1', port, method: 'POST', agent, headers }, (response) => {
      text(response).then(resolve, lost)
    })
      .on('error', lost)
      .end(body)
  })
}
