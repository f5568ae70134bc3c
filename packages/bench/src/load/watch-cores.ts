import { cpus } from 'node:os'

/** Watches the machine's cores from now on; `busy` is the share of their time in use. */
export function watchCores(): { busy(): number } {
  const before = timesOfCores()
  return {
    busy() {
      const now = timesOfCores()
      return 1 - (now.idle - before.idle) / (now.all - before.all)
    },
  }
}

function timesOfCores(): { readonly all: number; readonly idle: number } {
  const cores = cpus().map(({ times }) => times)
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return { all: sum(cores.flatMap((times) => Object.values(times))), idle: sum(cores.map(({ idle }) => idle)) }
}
