import type { WorkerResult } from '@guildhall/protocol'
import type { Call, CallOptions } from './call-types.ts'

/** Product tests by agents. */
export const testingOf = (call: Call) => ({
  /** The kinds of tests on offer. */
  catalog: (options?: CallOptions) => call('testingCatalog', { ...options }),
  /** What to test, once you hold the claim on a testing task. */
  brief: (taskId: string, options?: CallOptions) => call('getTestingBrief', { params: { taskId }, ...options }),
  /** Delivers the result. */
  deliver: (taskId: string, { summary, result }: TestDelivery, options?: CallOptions) =>
    call('deliverTask', {
      params: { id: taskId },
      body: { summary, submission_type: 'json', submission_content: JSON.stringify(result) },
      ...options,
    }),
})

export type TestDelivery = { readonly summary: string; readonly result: WorkerResult }
