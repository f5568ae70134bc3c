import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../../', import.meta.url))
const git = async (...words: string[]): Promise<string> => (await run('git', words, { cwd: root })).stdout.trim()

/** Code of an earlier day, ready to be started. */
type Release = { readonly main: string; migrate(databaseUrl: string): Promise<void>; remove(): Promise<void> }

/** The last release, or else the newest commit that does not know the newest migration; null where the history says neither. */
export const olderCommit = async (): Promise<string | null> =>
  (await lastRelease().catch(() => null)) ?? (await beforeNewestMigration().catch(() => null))

const lastRelease = async (): Promise<string> => {
  const tag = await git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^')
  return git('rev-parse', '--verify', `${tag}^{commit}`)
}

const beforeNewestMigration = async (): Promise<string> => {
  const added = await git('log', '-1', '--diff-filter=A', '--format=%H', '--', 'packages/server/src/store/migrations')
  return git('rev-parse', '--verify', `${added}^`)
}

/** Unpacks what a commit holds beside the packages that are installed here; only our own are its own. */
export async function unpackRelease(commit: string): Promise<Release> {
  const directory = await mkdtemp(join(tmpdir(), 'guildhall-older-'))
  const archive = join(directory, 'archive.tar')
  await git('archive', '--output', archive, commit, 'package.json', 'packages')
  await run('tar', ['-xf', archive, '-C', directory])
  await linkPackages(directory)
  const main = join(directory, 'packages/cli/src/main.ts')
  return {
    main,
    async migrate(databaseUrl) {
      await run(process.execPath, [main, 'migrate'], { env: { ...process.env, DATABASE_URL: databaseUrl } })
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

async function linkPackages(directory: string): Promise<void> {
  const modules = join(directory, 'node_modules')
  await mkdir(join(modules, '@guildhall'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== '@guildhall' && !name.startsWith('.'))
      await symlink(join(root, 'node_modules', name), join(modules, name))
  }
  for (const name of await readdir(join(directory, 'packages'))) {
    await symlink(join(directory, 'packages', name), join(modules, '@guildhall', name))
    await linkNested(name, directory)
  }
}

/** Packages that only one of ours has in this version. */
async function linkNested(name: string, directory: string): Promise<void> {
  const nested = join('packages', name, 'node_modules')
  await symlink(join(root, nested), join(directory, nested))
}
