import { chmod, mkdir, mkdtemp, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { firstLine, runScript } from './test-process.ts'

const isRoot = process.getuid?.() === 0
const ordinary = isRoot ? { uid: 65534, gid: 65534 } : {}

test('links are made, wrong ones are mended, and several processes may do it at once', async () => {
  const root = await packageWithLibrary()
  const racers = Array.from({ length: 3 }, () => runScript(linking(root)))
  expect(await Promise.all(racers.map(firstLine))).toEqual(['{}', '{}', '{}'])
  expect(await readlink(join(root, 'native/lib/libx.so'))).toBe('libx.so.1.2')
  expect(await readlink(join(root, 'native/lib/libx.so.1'))).toBe('libx.so.1.2')
})

test.runIf(process.platform === 'linux')(
  'where the package may not be written to, the links go elsewhere',
  async () => {
    const root = await packageWithLibrary()
    const elsewhere = join(root, 'elsewhere')
    await mkdir(elsewhere)
    await chmod(elsewhere, 0o777)
    await chmod(join(root, 'native/lib'), 0o555)
    const answer = await firstLine(runScript(linking(root), ordinary))
    expect(JSON.parse(answer ?? 'null')).toEqual({ LD_LIBRARY_PATH: `${elsewhere}:${root}/native/lib` })
    expect(await readlink(join(elsewhere, 'libx.so'))).toBe(join(root, 'native/lib/libx.so.1.2'))
  },
)

function linking(root: string): string {
  return `
    const { linkLibraries } = await load('library-links.ts')
    console.log(JSON.stringify(await linkLibraries('${root}/native', '${root}/elsewhere')))`
}

async function packageWithLibrary(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'guildhall-'))
  onTestFinished(async () => {
    await chmod(join(root, 'native/lib'), 0o755)
    await rm(root, { recursive: true })
  })
  await chmod(root, 0o755)
  await mkdir(join(root, 'native/lib'), { recursive: true })
  await writeFile(join(root, 'native/lib/libx.so.1.2'), '')
  await writeFile(join(root, 'native/lib/libx.so.1'), 'not a link')
  const targets = ['native/lib/libx.so', 'native/lib/libx.so.1']
  const links = targets.map((target) => ({ source: 'native/lib/libx.so.1.2', target }))
  await writeFile(join(root, 'native/pg-symlinks.json'), JSON.stringify(links))
  return root
}
