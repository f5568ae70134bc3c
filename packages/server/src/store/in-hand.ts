import type { TaskStatus } from '@guildhall/protocol'

/**
 * Tasks go back and forth between these, and no row of `task_capabilities` is rewritten for it: there, each stands for both, and
 * only the task knows which it is.
 */
export const IN_HAND: readonly TaskStatus[] = ['claimed', 'submitted']

export const isInHand = (status: TaskStatus): boolean => IN_HAND.includes(status)
