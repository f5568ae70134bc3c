// What a fresh clone needs before anything else can run. No dependencies: nothing is installed yet.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { takeTurn } from './take-turn.mjs'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const stamp = join(root, 'node_modules', '.installed-lock')

/** Installs the packages of the lockfile unless they are there; of several commands at once, one does. */
export async function ensureInstalled() {
  if (isInstalled()) return
  const endTurn = await takeTurn(`guildhall-install-${sha256(realpathSync(root))}`, () =>
    console.error('Another command is installing the packages: waiting for it …'),
  )
  if (!isInstalled()) install()
  endTurn()
}

const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === lockfileHash()
const lockfileHash = () => sha256(readFileSync(join(root, 'package-lock.json')))
const sha256 = (content) => createHash('sha256').update(content).digest('hex')

/** Not `npm ci`: that wants every platform's optional package in the lockfile, which a registry that mirrors only some cannot give. */
function install() {
  const lockfile = lockfileHash()
  console.error('Installing packages (once; about a minute) …')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const done = spawnSync(npm, ['install', '--no-save', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: installEnvironment(),
  })
  if (done.status !== 0) {
    console.error(
      'Installing the packages failed; the lines above say why. Run the same command again once that is fixed.',
    )
    process.exit(1)
  }
  writeFileSync(stamp, lockfile)
}

/** `npm start` hands its own settings down as npm_config_*; the project's .npmrc is what counts here. */
function installEnvironment() {
  const { NODE_ENV, npm_config_production, npm_config_omit, ...environment } = process.env
  return environment
}

/** Lets Node cache compiled code between starts, which halves start times. */
export const keepingCompiled = () => ({
  NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
  ...process.env,
})

/** A Node that runs TypeScript directly: the one among the packages, else this machine's own if it is new enough. */
export function modernNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node'
  const system = process.platform === 'win32' ? 'win' : process.platform
  const shipped = join(root, 'node_modules', `node-${system}-${process.arch}`, 'bin', name)
  if (existsSync(shipped)) return shipped
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  console.error(
    `No Node 24 comes as a package for ${process.platform}-${process.arch}: please install Node 24 or later and run this again.`,
  )
  process.exit(1)
}
