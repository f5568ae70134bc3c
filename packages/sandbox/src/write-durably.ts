import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a file, readable by its owner alone, so that after a crash it is there whole or not at all. */
export async function writeDurably(file: string, text: string): Promise<void> {
  const unfinished = `${file}.unfinished`
  const handle = await open(unfinished, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(unfinished, file)
  await syncDirectory(dirname(file))
}

/** Makes sure that files created, renamed or removed in a directory stay so after a crash. */
export async function syncDirectory(directory: string): Promise<void> {
  // Windows cannot open a directory; its rename is durable by itself.
  if (process.platform === 'win32') return
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
