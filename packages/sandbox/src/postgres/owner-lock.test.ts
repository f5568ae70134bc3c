import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DataDirInUseError, own } from './owner-lock.ts'
import { firstLine, killAndWait, runScript } from './test-process.ts'

test('a directory has one owner at a time', async () => {
  const directory = await temporary()
  const giveBack = await own(directory)
  const second = own(directory)
  await expect(second).rejects.toThrow(DataDirInUseError)
  await expect(second).rejects.toThrow(`process ${process.pid}`)
  await giveBack()
  await (await own(directory))()
  expect(await readdir(directory)).toHaveLength(1)
})

test('an owner whose pid now belongs to another process is dead', async () => {
  const directory = await temporary()
  await writeFile(join(directory, 'owner-7.json'), JSON.stringify({ pid: process.pid, birth: 'earlier' }))
  await own(directory)
  expect(await readdir(directory)).toEqual(['owner-8.json'])
})

test('a half-written owner file after a power cut does not prevent a start', async () => {
  const directory = await temporary()
  await writeFile(join(directory, 'owner-1.json'), '{"pid":')
  await own(directory)
  expect(await readdir(directory)).toEqual(['owner-2.json'])
})

test('of several that find a dead owner at once, one becomes the owner, and its death frees the directory', async () => {
  const directory = await temporary()
  await writeFile(join(directory, 'owner-3.json'), JSON.stringify({ pid: 1, birth: 'earlier' }))
  const racers = Array.from({ length: 5 }, () => runScript(racing(directory)))
  const answers = await Promise.all(racers.map(firstLine))
  expect(answers.toSorted()).toEqual([...Array(4).fill('DataDirInUseError'), 'owner'])
  await Promise.all(racers.map(killAndWait))
  await own(directory)
  await expect(own(directory)).rejects.toThrow(`process ${process.pid}`)
})

/** All wait for the same moment, and the winner lives on. */
function racing(directory: string): string {
  return `
    const { own } = await load('owner-lock.ts')
    await new Promise((resolve) => setTimeout(resolve, 500 - (Date.now() % 500)))
    await own('${directory}').then(() => console.log('owner'), (error) => console.log(error.name))
    setInterval(() => {}, 1000)`
}

async function temporary(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'guildhall-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}
