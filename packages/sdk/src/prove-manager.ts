import { encodeWalletMessage, parseTaskActionMessage, type TaskAction, taskActionMessage } from '@guildhall/protocol'
import type { Call } from './call-types.ts'
import { isGuildhallError } from './guildhall-error.ts'
import type { Manager } from './manager.ts'
import { randomHex } from './random-hex.ts'

type Decision = {
  readonly taskId: string
  readonly action: TaskAction
  readonly serviceName: string
  readonly signal?: AbortSignal | undefined
}

/** The headers that prove who decides. The text that a wallet signs is built here; the service only tells its network and the time. */
export async function proveManager(
  call: Call,
  manager: Manager,
  { taskId, action, serviceName, signal }: Decision,
): Promise<Readonly<Record<string, string>>> {
  if (typeof manager === 'string') return { Authorization: `Bearer ${manager}` }
  const refusal = await call('getHire', { params: { id: taskId }, signal }).catch((error: unknown) => error)
  if (!isGuildhallError(refusal, 'auth_required')) throw refusal
  const asked = parseTaskActionMessage(serviceName, refusal.fields.sign_this ?? '')
  if (asked === null) throw refusal
  const { network, issuedAt } = asked
  const statement = { taskId, action, wallet: manager.address, network, issuedAt, nonce: randomHex(16) }
  const message = taskActionMessage(serviceName, statement)
  return {
    'X-Wallet-Message': encodeWalletMessage(message),
    'X-Wallet-Signature': await manager.signMessage({ message }),
  }
}
