// The local chains are anvil nodes. Not every registry has anvil for every architecture: on Linux without a native one, the amd64
// build runs under Debian's qemu. Everything is unpacked below node_modules, without root and without changing the system.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { root } from './set-up.mjs'

const FOREIGN = '@foundry-rs/anvil-linux-amd64'
const LIBRARIES = 'lib/x86_64-linux-gnu'
const cache = join(root, 'node_modules', '.cache')
const place = join(cache, 'anvil')

/** Does nothing if there is an anvil. A failure is only reported, because most commands need no local chain. */
export function ensureAnvil() {
  if (process.platform !== 'linux' || process.arch === 'x64') return
  const own = join(root, 'node_modules', '@foundry-rs', `anvil-linux-${process.arch}`)
  if (existsSync(own) || existsSync(place)) return
  console.error(`No anvil for ${process.arch} in this registry: getting the one for amd64 and qemu (once; 100 MB) …`)
  mkdirSync(cache, { recursive: true })
  const room = mkdtempSync(join(cache, 'anvil-'))
  try {
    unpackAnvil(room)
    unpackQemu(room)
    writeFileSync(join(room, 'anvil'), LAUNCHER, { mode: 0o755 })
    renameSync(room, place)
  } catch (error) {
    rmSync(room, { recursive: true, force: true })
    if (existsSync(place)) return
    console.error(
      `${error.message}\nLocal chains will not start. With anvil on the PATH (Foundry installs it) they do.`,
    )
  }
}

/** `exec` replaces the shell, so that signals reach the node itself. */
const LAUNCHER = `#!/bin/sh
here=\${0%/*}
exec "$here/qemu-x86_64-static" -L "$here/amd64" "$here/amd64/anvil" "$@"
`

function unpackAnvil(room) {
  const { version, integrity } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages[
    `node_modules/${FOREIGN}`
  ]
  run(room, 'npm', 'pack', `${FOREIGN}@${version}`, '--loglevel=error')
  const archive = join(room, only(room, '.tgz'))
  const hash = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (hash !== integrity) throw new Error(`${FOREIGN}@${version} is not the package of the lockfile.`)
  run(room, 'tar', 'xzf', archive)
  mkdirSync(join(room, 'amd64'))
  renameSync(join(room, 'package', 'bin', 'anvil'), join(room, 'amd64', 'anvil'))
  for (const rest of [archive, join(room, 'package')]) rmSync(rest, { recursive: true })
}

/** Uses apt with separate lists that cover both architectures; it checks signatures as usual. */
function unpackQemu(room) {
  const apt = join(room, 'apt')
  const unpacked = join(apt, 'unpacked')
  for (const folder of ['state/lists/partial', 'cache/archives/partial'])
    mkdirSync(join(apt, folder), { recursive: true })
  const native = run(room, 'dpkg', '--print-architecture').trim()
  const settings = [
    `Dir::State=${apt}/state`,
    'Dir::State::status=/var/lib/dpkg/status',
    `Dir::Cache=${apt}/cache`,
    `APT::Architectures::=${native}`,
    'APT::Architectures::=amd64',
  ].flatMap((setting) => ['-o', setting])
  run(apt, 'apt-get', '-q', ...settings, 'update')
  run(apt, 'apt-get', '-q', ...settings, 'download', 'qemu-user-static', 'libc6:amd64', 'libgcc-s1:amd64')
  for (const file of readdirSync(apt).filter((name) => name.endsWith('.deb')))
    run(apt, 'dpkg-deb', '-x', file, unpacked)

  cpSync(join(unpacked, 'usr/bin/qemu-x86_64-static'), join(room, 'qemu-x86_64-static'))
  cpSync(join(unpacked, LIBRARIES), join(room, 'amd64', LIBRARIES), { recursive: true, verbatimSymlinks: true })
  // The package's own link to the loader is absolute and would lead out of this directory.
  cpSync(join(unpacked, LIBRARIES, 'ld-linux-x86-64.so.2'), join(room, 'amd64/lib64/ld-linux-x86-64.so.2'))
  rmSync(apt, { recursive: true })
}

const only = (folder, ending) => readdirSync(folder).find((name) => name.endsWith(ending))

function run(folder, program, ...words) {
  const done = spawnSync(program, words, { cwd: folder, encoding: 'utf8', timeout: 5 * 60_000 })
  if (done.status === 0) return done.stdout
  throw new Error(
    `${program} ${words.at(-1)} failed: ${(done.stderr || String(done.error ?? '')).trim().split('\n').at(-1)}`,
  )
}
