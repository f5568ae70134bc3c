// Installs what is missing, for commands that are in the packages themselves: `node scripts/install.mjs && biome check`.
import { ensureInstalled } from './set-up.mjs'

await ensureInstalled()
