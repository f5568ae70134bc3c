import { randomBytes } from 'node:crypto'
import { mkdir, readFile, readlink, rename, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

type Link = { readonly source: string; readonly target: string }

/**
 * Makes the links between library versions that npm packages cannot carry, and returns the environment PostgreSQL needs to find them.
 * Where the packages may not be written to, the links go to `elsewhere`.
 */
export async function linkLibraries(native: string, elsewhere: string): Promise<Record<string, string>> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as readonly Link[]
  const packageRoot = dirname(native)
  try {
    for (const { source, target } of links) await link(basename(source), join(packageRoot, target))
    return {}
  } catch (error) {
    if (process.platform !== 'linux' || !isReadOnly(error)) throw error
  }
  await mkdir(elsewhere, { recursive: true, mode: 0o755 })
  for (const { source, target } of links) await link(join(packageRoot, source), join(elsewhere, basename(target)))
  // A library found through a link looks for the next beside the link, so the real directory has to be named too.
  return { LD_LIBRARY_PATH: `${elsewhere}:${join(native, 'lib')}` }
}

/** Safe when several processes do it at once: each link appears whole, and a wrong one is replaced in one step. */
async function link(to: string, at: string): Promise<void> {
  if ((await readlink(at).catch(() => null)) === to) return
  const made = `${at}.${randomBytes(4).toString('hex')}`
  await symlink(to, made)
  await rename(made, at)
}

function isReadOnly(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'EACCES' || code === 'EROFS' || code === 'EPERM'
}
