/** Passing reports between agents, identified by number; parallel arrays, in any fixed order. */
export type TrustGraph = {
  /** Agent numbers run from 0 to size - 1. */
  readonly size: number
  /** The agent that is trusted without any report. */
  readonly house: number
  readonly from: Int32Array
  readonly to: Int32Array
  readonly passes: Float64Array
}

const FOLLOWED = 0.85
const CLOSE_ENOUGH = 1e-9
const MOST_ROUNDS = 200

/**
 * EigenTrust: an agent is trusted as far as the agents that passed it are. Trust starts at the house and is handed on in
 * proportion to passing reports; an agent that passed nobody hands it back to the house. The vector sums to one. Yields after
 * every round, so that the caller can let other work run.
 */
export function* eigenTrust(graph: TrustGraph): Generator<void, Float64Array> {
  const { size, house, from, to } = graph
  const shares = sharesOf(graph)
  yield
  let trust = new Float64Array(size)
  trust[house] = 1
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = new Float64Array(size)
    let handedOn = 0
    for (let edge = 0; edge < from.length; edge++) {
      const handed = FOLLOWED * (trust[from[edge] ?? 0] ?? 0) * (shares[edge] ?? 0)
      add(next, to[edge] ?? 0, handed)
      handedOn += handed
    }
    add(next, house, 1 - handedOn)
    const moved = distance(trust, next)
    trust = next
    yield
    if (moved < CLOSE_ENOUGH) break
  }
  return trust
}

/**
 * In a vector that sums to one, each agent's trust shrinks as agents are added. Scores use it relative to the most trusted agent
 * other than the house, which has 1.
 */
export function relativeTrust(trust: Float64Array, house: number): Float64Array {
  let most = 0
  for (const [agent, value] of trust.entries()) if (agent !== house && value > most) most = value
  return trust.map((value, agent) => (agent === house ? 1 : most > 0 ? value / most : 0))
}

/** Each edge as a share of all passes by its verifier. */
function sharesOf({ size, from, passes }: TrustGraph): Float64Array {
  const given = new Float64Array(size)
  for (let edge = 0; edge < from.length; edge++) add(given, from[edge] ?? 0, passes[edge] ?? 0)
  const shares = new Float64Array(passes.length)
  for (let edge = 0; edge < from.length; edge++) shares[edge] = (passes[edge] ?? 0) / (given[from[edge] ?? 0] ?? 1)
  return shares
}

function distance(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let index = 0; index < a.length; index++) sum += Math.abs((a[index] ?? 0) - (b[index] ?? 0))
  return sum
}

function add(values: Float64Array, index: number, more: number): void {
  values[index] = (values[index] ?? 0) + more
}
