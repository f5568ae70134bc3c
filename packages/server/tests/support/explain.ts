import { type Client, escapeLiteral } from 'pg'
import { sessionSettings } from '../../src/store/session-settings.ts'

/** A part of a plan that was carried out. */
export type Plan = {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly Plan[]
}

type Given = { readonly text: string; readonly values: readonly unknown[] }

const literalOf = (value: unknown): string =>
  escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : String(value))

/**
 * Carries out a statement, undoes it, and gives its plan. The statement is prepared, as in the service: EXPLAIN alone would plan it
 * for these values, whatever plan_cache_mode says.
 */
export async function explain(sql: Client, { text, values }: Given): Promise<Plan> {
  const given = values.length === 0 ? '' : `(${values.map(literalOf).join(', ')})`
  await sql.query(`begin; set local random_page_cost = ${sessionSettings.random_page_cost}`)
  try {
    await sql.query(`prepare explained as ${text}`)
    const { rows } = await sql.query(`explain (analyze, buffers, format json) execute explained${given}`)
    return rows[0]['QUERY PLAN'][0].Plan
  } finally {
    await sql.query('rollback; deallocate all')
  }
}

export const nodesOf = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

export const blocksOf = (plan: Plan): number => plan['Shared Hit Blocks'] + plan['Shared Read Blocks']

/** How many rows of a table were looked at, also those that were not wanted. */
export const rowsLookedAt = (plan: Plan, table: string): number =>
  nodesOf(plan)
    .filter((node) => node['Relation Name'] === table)
    .reduce(
      (sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
      0,
    )
