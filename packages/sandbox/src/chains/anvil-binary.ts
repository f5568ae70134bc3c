import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/**
 * The path of anvil. Each platform's package contains it, and starting it directly saves a Node process. Without a package it is
 * the one that scripts/ensure-anvil.mjs has unpacked, or the one on the PATH.
 */
export function anvilBinary(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const name = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  // The platform packages are dependencies of @foundry-rs/anvil, so they are looked up from there.
  const main = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
  try {
    return createRequire(main).resolve(`@foundry-rs/anvil-${process.platform}-${architecture}/bin/${name}`)
  } catch {
    const unpacked = join(dirname(main), '..', '..', '.cache', 'anvil', name)
    return existsSync(unpacked) ? unpacked : name
  }
}
