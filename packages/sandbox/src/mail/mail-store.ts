import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { type Mail, type ReceivedMail, readMail } from './mail.ts'

/** The mails of a directory, one file each. */
export type MailStore = {
  /** Resolves when the mail is safely on disk. */
  keep(received: ReceivedMail): Promise<void>
  newestFirst(): readonly Mail[]
}

type StoredMail = { readonly from: string; readonly to: readonly string[]; readonly raw_base64: string }

export async function openMailStore(directory: string, log: (line: string) => void): Promise<MailStore> {
  await mkdir(directory, { recursive: true })
  const mails = await readStoredMails(directory, log)
  let lastId = Math.max(0, ...mails.keys())

  return {
    async keep(received) {
      lastId += 1
      const id = lastId
      const { from, to, raw } = received
      await writeDurably(directory, `${id}.json`, { from, to, raw_base64: raw.toString('base64') })
      mails.set(id, await readMail(id, received))
    },
    newestFirst: () => [...mails.values()].sort((a, b) => b.id - a.id),
  }
}

async function readStoredMails(directory: string, log: (line: string) => void): Promise<Map<number, Mail>> {
  const mails = new Map<number, Mail>()
  for (const name of await readdir(directory)) {
    const id = Number(/^([1-9]\d*)\.json$/.exec(name)?.[1])
    if (!id) continue
    try {
      const { from, to, raw_base64 } = JSON.parse(await readFile(join(directory, name), 'utf8')) as StoredMail
      mails.set(id, await readMail(id, { from, to, raw: Buffer.from(raw_base64, 'base64') }))
    } catch (error) {
      log(`The mail in ${name} cannot be read: ${error instanceof Error ? error.message : error}`)
    }
  }
  return mails
}

async function writeDurably(directory: string, name: string, stored: StoredMail): Promise<void> {
  const path = join(directory, name)
  const unfinished = `${path}.part`
  const file = await open(unfinished, 'w', 0o600)
  try {
    await file.writeFile(JSON.stringify(stored))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
  const parent = await open(directory)
  try {
    await parent.sync()
  } finally {
    await parent.close()
  }
}
