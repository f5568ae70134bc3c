import { randomBytes } from 'node:crypto'
import type { FacilitatorCall, Fault, FaultSwitch } from './fault.ts'
import type { OfficialFacilitator } from './official-facilitator.ts'
import { type PaymentRequest, readPaymentRequest } from './payment-request.ts'

/** What goes back on the wire; null drops the connection without an answer. */
export type Answer = { readonly status: number; readonly body: unknown } | null

/** How long a slow facilitator keeps its caller waiting before it starts to work. */
const SLOWNESS_MS: Record<FacilitatorCall, number> = { verify: 3_000, settle: 30_000 }

/** Answers a verify or settle call as the fault in force demands. */
export async function answerCall(
  call: FacilitatorCall,
  text: string,
  facilitator: OfficialFacilitator,
  faults: FaultSwitch,
): Promise<Answer> {
  const fault = faults.meet(call)
  if (fault === 'down') return null
  if (fault === 'slow') await faults.hold(SLOWNESS_MS[call])
  const request = readPaymentRequest(text)
  if (!request) return malformed(call)
  if (call === 'verify') return verdict(await facilitator.verify(request))
  return settle(request, facilitator, fault)
}

async function settle(request: PaymentRequest, facilitator: OfficialFacilitator, fault: Fault): Promise<Answer> {
  const payer = (request.payload.payload.authorization as { from: string }).from
  const { network } = request.requirements
  switch (fault) {
    case 'lies_settled':
      return verdict({ success: true, transaction: `0x${randomBytes(32).toString('hex')}`, network, payer })
    case 'lies_failed':
      await facilitator.settle(request)
      return verdict({ success: false, errorReason: TRANSACTION_FAILED, transaction: '', network, payer })
    case 'response_lost':
      await facilitator.settle(request)
      return null
    default:
      return verdict(await facilitator.settle(request, { starvedOfGas: fault === 'settle_reverts' }))
  }
}

const TRANSACTION_FAILED = 'invalid_exact_evm_transaction_failed'

function verdict(body: object | 'unavailable'): Answer {
  if (body === 'unavailable')
    return { status: 503, body: { error: 'unavailable', message: 'The chain cannot be reached.' } }
  return { status: 200, body }
}

function malformed(call: FacilitatorCall): Answer {
  const reason = 'invalid_payload'
  if (call === 'verify') return { status: 400, body: { isValid: false, invalidReason: reason } }
  return { status: 400, body: { success: false, errorReason: reason, transaction: '', network: '' } }
}
