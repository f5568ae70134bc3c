import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeDurably } from '../write-durably.ts'
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
      const stored: StoredMail = { from, to, raw_base64: raw.toString('base64') }
      await writeDurably(join(directory, `${id}.json`), JSON.stringify(stored))
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
