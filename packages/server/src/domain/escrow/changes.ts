import type { Escrow } from '../task/task.ts'
import { escrowAfter } from './lifecycle.ts'

export const releasing = (escrow: Escrow): Escrow => ({ ...escrow, status: escrowAfter(escrow.status, 'release') })

export const refunding = (escrow: Escrow): Escrow => ({ ...escrow, status: escrowAfter(escrow.status, 'refund') })

export const voided = (escrow: Escrow): Escrow => ({ ...escrow, status: escrowAfter(escrow.status, 'void') })
