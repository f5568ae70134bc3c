import { hashText } from '@guildhall/protocol'
import type { Identity } from './identity.ts'

/**
 * A delivery with a random-looking field, which the service ignores. Its receipt shows everybody the hash of the request's body,
 * from which a short private delivery could be guessed otherwise. The salt follows from the agent's key: the same delivery sent
 * again is the same request.
 */
export const salted = <Delivery extends object>(own: Identity | null, taskId: string, delivery: Delivery): Delivery =>
  own === null ? delivery : { ...delivery, salt: saltOf(own, `${taskId} ${JSON.stringify(delivery)}`) }

const saltOf = ({ secretKey }: Identity, text: string): string =>
  hashText(`delivery salt ${secretKey.join(' ')} ${text}`)
