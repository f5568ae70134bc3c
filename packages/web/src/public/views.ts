import type { Answer } from '../console/views.ts'

/** What the public pages show: exactly what the API tells everybody. */
export type ListedTask = Answer<'listTasks'>['tasks'][number]
export type PublicTask = Answer<'getTask'>
export type LedgerView = Answer<'listChain'>
export type StatusView = Answer<'status'>
