import { readSettings, startService } from '@guildhall/server'
import { makeDataDir } from '../make-data-dir.ts'
import { untilStopped } from '../until-stopped.ts'

/** Read by commands only: the service would warn of them as settings that it does not know. */
const OF_COMMANDS: readonly string[] = ['GUILDHALL_URL', 'GUILDHALL_AGENT_KEY', 'GUILDHALL_PARENT_PIPE']

/** Runs until it is told to stop; then it finishes what is in progress first. */
export async function serve(role: string | undefined): Promise<void> {
  const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_COMMANDS.includes(name)))
  const settings = readSettings({ ...environment, ...(role === undefined ? {} : { GUILDHALL_ROLE: role }) })
  makeDataDir(settings.dataDir)
  const service = await startService(settings)
  await untilStopped()
  await service.stop()
  process.exit(0)
}
