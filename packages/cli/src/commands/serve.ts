import { readSettings, startService } from '@guildhall/server'
import { makeDataDir } from '../make-data-dir.ts'
import { untilStopped } from '../until-stopped.ts'

/** Runs until it is told to stop; then it finishes what is in progress first. */
export async function serve(role: string | undefined): Promise<void> {
  // What only commands read is no setting of the service, which warns of those that it does not know.
  const { GUILDHALL_URL: _, GUILDHALL_AGENT_KEY: __, GUILDHALL_PARENT_PIPE: ___, ...environment } = process.env
  const settings = readSettings({ ...environment, ...(role === undefined ? {} : { GUILDHALL_ROLE: role }) })
  makeDataDir(settings.dataDir)
  const service = await startService(settings)
  await untilStopped()
  await service.stop()
  process.exit(0)
}
