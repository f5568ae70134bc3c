import { afterEach, expect } from 'vitest'
import { type NodeProcess, startNodeProcess } from './node-process.ts'
import type { RawRequest } from './raw.ts'
import type { Stage } from './stage.ts'

/** Sends requests to nodes that are killed, as by a power cut, at the named place while they carry them out. */
export function doomedNodes(stage: Stage) {
  const nodes: NodeProcess[] = []
  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.stop()
  })
  return async (place: string, { method, path, headers, body }: RawRequest, payment?: string): Promise<void> => {
    const node = await startNodeProcess(stage, { GUILDHALL_FAILPOINT: place, GUILDHALL_ROLE: 'api' })
    nodes.push(node)
    const more = payment === undefined ? {} : { 'PAYMENT-SIGNATURE': payment }
    await expect(fetch(`${node.url}${path}`, { method, headers: { ...headers, ...more }, body })).rejects.toThrow()
    expect(await node.died).toBe('SIGKILL')
  }
}
