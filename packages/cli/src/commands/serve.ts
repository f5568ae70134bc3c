import { readSettings, startService } from '@guildhall/server'
import { makeDataDir } from '../make-data-dir.ts'
import { untilStopped } from '../until-stopped.ts'

/** Runs until it is told to stop; then it finishes what is in progress first. */
export async function serve(role: string | undefined): Promise<void> {
  const settings = readSettings({ ...process.env, ...(role === undefined ? {} : { GUILDHALL_ROLE: role }) })
  makeDataDir(settings.dataDir)
  const service = await startService(settings)
  await untilStopped()
  await service.stop()
  process.exit(0)
}
