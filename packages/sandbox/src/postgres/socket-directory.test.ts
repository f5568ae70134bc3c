import { mkdtemp, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isUsable, makeSocketDirectory } from './socket-directory.ts'

const us = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }

test('a socket path longer than the system allows, or one PostgreSQL would split, is not used', () => {
  expect(isUsable('/srv/guildhall/postgres/socket')).toBe(true)
  expect(isUsable(`/${'d'.repeat(120)}`)).toBe(false)
  expect(isUsable(`/${'ü'.repeat(60)}`)).toBe(false)
  expect(isUsable('/srv/a,b')).toBe(false)
})

test('only its owner may enter the socket directory', async () => {
  const directory = await makeSocketDirectory(await temporary(), 'unused', us)
  expect((await stat(directory)).mode & 0o777).toBe(0o700)
})

test('a directory that somebody else prepared under our name is refused', async () => {
  const trap = await temporary()
  const name = `guildhall-test-${process.pid}`
  await symlink(trap, join(tmpdir(), name))
  onTestFinished(() => rm(join(tmpdir(), name)))
  await expect(makeSocketDirectory(`/${'d'.repeat(120)}`, name, us)).rejects.toThrow('not a directory of ours alone')
})

async function temporary(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'guildhall-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}
