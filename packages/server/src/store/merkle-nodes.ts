import type { Reader } from '../ports/store.ts'
import type { Connection } from './connection.ts'
import { toHex } from './hash-bytes.ts'

const find = `
select wanted.level, wanted.index, n.hash
from unnest($1::int[], $2::bigint[]) with ordinality as wanted (level, index, nr)
left join merkle_nodes n on n.level = wanted.level and n.index = wanted.index
order by wanted.nr`

type NodeRow = { readonly level: number; readonly index: bigint; readonly hash: Buffer | null }

/** Hashes in the order of `wanted`; a missing node is an error. */
export const merkleNodesRead = (connection: Connection) =>
  ({
    async merkleNodes(wanted) {
      const rows = await connection.rows<NodeRow>(find, [
        wanted.map(({ level }) => level),
        wanted.map(({ index }) => index),
      ])
      return rows.map(({ level, index, hash }) => {
        if (hash === null) throw new Error(`The tree has no node ${index} on level ${level} yet.`)
        return toHex(hash)
      })
    },
  }) satisfies Partial<Reader>
