import { createRequire } from 'node:module'

/** Where the node's program is: each platform's package carries it, and starting it directly saves a Node process. */
export function anvilBinary(): string {
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch
  const name = process.platform === 'win32' ? 'anvil.exe' : 'anvil'
  const platformPackage = `@foundry-rs/anvil-${process.platform}-${architecture}`
  // The platform packages are dependencies of @foundry-rs/anvil, so they are looked up from there.
  const main = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json')
  return createRequire(main).resolve(`${platformPackage}/bin/${name}`)
}
