import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')

/** All of it, at once: so that what was made before a measurement is not cleared away in the middle of it. */
export const collectGarbage = runInNewContext('gc') as () => void
