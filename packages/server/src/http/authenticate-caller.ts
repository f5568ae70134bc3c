import type { Endpoint, TaskAction } from '@guildhall/protocol'
import type { ManageProof, Manager } from '../actions/hires/manage-hire.ts'
import type { Caller } from '../domain/caller.ts'
import type { Instant } from '../domain/instant.ts'
import type { OwnerCaller } from '../domain/owner/owner.ts'
import type { Arrivals } from './arrivals.ts'
import { authenticateAgent, type FindAgent, type ReceivedRequest } from './authenticate-agent.ts'
import { authenticateOwner, type FindSession } from './authenticate-owner.ts'
import { headerText } from './header-text.ts'
import type { SignatureCheck } from './signature-check.ts'

export type FindManager = (taskId: string, action: TaskAction, proof: ManageProof) => Promise<Manager>

type Registers = {
  readonly findAgent: FindAgent
  readonly findManager: FindManager
  readonly findSession: FindSession
  readonly ownOrigin: string
  readonly isSigned: SignatureCheck
  readonly arrivals: Arrivals
}

/**
 * The caller in the way the endpoint declares: nobody, an agent by its signature, the poster of a task by token or wallet, or an
 * owner by cookie.
 */
export async function authenticateCaller(
  { findAgent, findManager, findSession, ownOrigin, isSigned, arrivals }: Registers,
  { method, auth, manages = 'read' }: Endpoint,
  request: ReceivedRequest,
  params: () => unknown,
  now: Instant,
): Promise<Caller | Manager | OwnerCaller | null> {
  const { headers } = request
  if (auth === 'none' || (auth === 'optional' && headers.authorization === undefined)) return null
  if (auth === 'owner') return authenticateOwner(findSession, request, ownOrigin, now)
  if (auth !== 'manage') {
    const arriving = authenticateAgent(findAgent, isSigned, request, now)
    return method === 'GET' ? arriving : arrivals.follow(arriving)
  }
  const { id } = params() as { readonly id: string }
  return findManager(id, manages, {
    authorization: headers.authorization ?? null,
    walletMessage: headerText(headers['x-wallet-message']),
    walletSignature: headerText(headers['x-wallet-signature']),
  })
}
