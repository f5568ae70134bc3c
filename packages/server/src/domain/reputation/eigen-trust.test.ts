import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eigenTrust, relativeTrust, type TrustGraph } from './eigen-trust.ts'

type Pass = readonly [from: number, to: number, times?: number]

const graphOf = (size: number, passes: readonly Pass[]): TrustGraph => ({
  size,
  house: 0,
  from: Int32Array.from(passes, ([from]) => from),
  to: Int32Array.from(passes, ([, to]) => to),
  passes: Float64Array.from(passes, ([, , times]) => times ?? 1),
})

function trustIn(graph: TrustGraph): Float64Array {
  const rounds = eigenTrust(graph)
  for (;;) {
    const round = rounds.next()
    if (round.done) return round.value
  }
}

const sumOf = (values: Iterable<number>): number => [...values].reduce((sum, value) => sum + value, 0)

describe('EigenTrust with α = .85 and all pre-trust on the house', () => {
  test('without reports the house has all of it', () => {
    expect([...trustIn(graphOf(3, []))]).toEqual([1, 0, 0])
  })

  test('a worked example: the house passed one agent, who passed nobody', () => {
    // t₀ = .15 + .85 t₁ and t₁ = .85 t₀
    const [house = 0, agent = 0] = trustIn(graphOf(2, [[0, 1]]))
    expect(house).toBeCloseTo(0.15 / (1 - 0.85 ** 2), 8)
    expect(agent).toBeCloseTo((0.85 * 0.15) / (1 - 0.85 ** 2), 8)
  })

  test('trust is handed on in proportion to passing reports', () => {
    const trust = trustIn(
      graphOf(3, [
        [0, 1, 3],
        [0, 2, 1],
      ]),
    )
    expect((trust[1] ?? 0) / (trust[2] ?? 1)).toBeCloseTo(3, 8)
  })

  test('agents that only pass each other are trusted by nobody', () => {
    const ring: Pass[] = [
      [2, 3, 100],
      [3, 4, 100],
      [4, 2, 100],
    ]
    expect([...trustIn(graphOf(5, [[0, 1], ...ring])).slice(2)]).toEqual([0, 0, 0])
  })

  test('it sums to one and is the fixed point of its own rule, for any network', () => {
    const size = 8
    const agent = fc.nat(size - 1)
    const pass = fc.tuple(agent, agent, fc.integer({ min: 1, max: 5 })).filter(([from, to]) => from !== to)
    fc.assert(
      fc.property(fc.array(pass, { maxLength: 40 }), (passes) => {
        const graph = graphOf(size, passes)
        const trust = trustIn(graph)
        expect(sumOf(trust)).toBeCloseTo(1, 9)
        for (let target = 0; target < size; target++) {
          expect(trust[target]).toBeCloseTo(expected(passes, trust, target), 7)
        }
      }),
    )
  })

  test('it is the same every time', () => {
    const graph = graphOf(4, [
      [0, 1],
      [1, 2],
      [2, 3, 2],
      [3, 1],
    ])
    expect(trustIn(graph)).toEqual(trustIn(graph))
  })
})

/** t = .85 Cᵀt + .15 p, where one who passed nobody counts as having passed the house. */
function expected(passes: readonly Pass[], trust: Float64Array, target: number): number {
  const from = (giver: number): number => {
    const given = passes.filter(([by]) => by === giver)
    if (given.length === 0) return target === 0 ? 1 : 0
    const all = sumOf(given.map(([, , times = 1]) => times))
    return sumOf(given.filter(([, to]) => to === target).map(([, , times = 1]) => times)) / all
  }
  return 0.85 * sumOf([...trust].map((held, giver) => held * from(giver))) + (target === 0 ? 0.15 : 0)
}

describe('relative trust', () => {
  test('the most trusted agent beside the house has 1, and so has the house', () => {
    expect([...relativeTrust(Float64Array.from([0.5, 0.3, 0.15, 0.05]), 0)]).toEqual([1, 1, 0.5, 0.05 / 0.3])
  })

  test('where the house has passed nobody, nobody is trusted', () => {
    expect([...relativeTrust(Float64Array.from([1, 0, 0]), 0)]).toEqual([1, 0, 0])
  })
})
