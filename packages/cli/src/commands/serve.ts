import { readSettings, startService } from '@guildhall/server'
import { sitePages } from '../site-pages.ts'
import { untilStopped } from '../until-stopped.ts'

/** Runs until it is told to stop; then what is under way is finished first. */
export async function serve(role: string | undefined): Promise<void> {
  const settings = readSettings({ ...process.env, ...(role === undefined ? {} : { GUILDHALL_ROLE: role }) })
  const service = await startService(settings, { pages: sitePages })
  await untilStopped()
  await service.stop()
  process.exit(0)
}
