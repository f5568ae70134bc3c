import type { Line } from '../lines/line.ts'
import { drive } from '../load/drive.ts'
import type { PostgresCpu } from '../stage/postgres-cpu.ts'

export type Round = {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly cpuMicroseconds: number
  /** NaN where it is not known. */
  readonly postgresMicroseconds: number
}

/** One round of one line; the CPU time is per request and includes background work afterwards. */
export async function measureRound(
  { server, connections, mostMs, prepare, settled }: Line,
  postgresCpu: PostgresCpu,
): Promise<Round> {
  const next = await prepare()
  const [before, postgresBefore] = [await server.cpuMicroseconds(), await postgresCpu()]
  const { count, seconds, latencies } = await drive({ url: server.url, connections, mostMs, next })
  await settled()
  const used = (await server.cpuMicroseconds()) - before
  const postgresUsed = ((await postgresCpu()) ?? Number.NaN) - (postgresBefore ?? Number.NaN)
  return {
    requestsPerSecond: count / seconds,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    cpuMicroseconds: used / count,
    postgresMicroseconds: postgresUsed / count,
  }
}

/** Of sorted values: the smallest one that at least this share of them does not exceed. */
export const percentile = (sorted: Float64Array, part: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
