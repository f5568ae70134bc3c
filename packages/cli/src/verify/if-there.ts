import { isGuildhallError } from '@guildhall/sdk'

/** What was asked for, or null where the service has no such thing: then whatever names it does not hold. */
export const ifThere = <T>(asked: Promise<T>): Promise<T | null> =>
  asked.catch((error: unknown) => {
    if (isGuildhallError(error, 'not_found', 'bad_request')) return null
    throw error
  })
