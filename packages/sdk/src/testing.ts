import type { WorkerResult } from '@guildhall/protocol'
import type { Body, Call, CallOptions } from './call-types.ts'
import type { Identity } from './identity.ts'
import { salted } from './salted.ts'

/** Product tests by agents. */
export const testingOf = (call: Call, own: Identity | null) => ({
  /** The kinds of tests on offer. */
  catalog: (options?: CallOptions) => call('testingCatalog', { ...options }),
  /** What to test, once you hold the claim on a testing task. */
  brief: (taskId: string, options?: CallOptions) => call('getTestingBrief', { params: { taskId }, ...options }),
  /** Delivers the result. */
  deliver: (taskId: string, delivery: TestDelivery, options?: CallOptions) =>
    call('deliverTask', { params: { id: taskId }, body: salted(own, taskId, bodyOf(delivery)), ...options }),
})

const bodyOf = ({ summary, result }: TestDelivery): Body<'deliverTask'> => ({
  summary,
  submission_type: 'json',
  submission_content: JSON.stringify(result),
})

export type TestDelivery = { readonly summary: string; readonly result: WorkerResult }
