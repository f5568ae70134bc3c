import { createServer, type RequestListener, type Server } from 'node:http'

/**
 * An HTTP server of the sandbox's. It leaves it to its callers to close idle connections: on a busy machine it would cut off
 * requests that are on their way.
 */
export const createPartServer = (answer: RequestListener): Server => createServer({ keepAliveTimeout: 0 }, answer)
