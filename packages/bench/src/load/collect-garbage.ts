import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** A full collection now, so that garbage from before a measurement is not collected during it. */
export const collectGarbage = runInNewContext('gc') as () => void
