import { randomBytes, randomUUID } from 'node:crypto'
import type { Random } from './ports/random.ts'

export const createRandom = (): Random => ({ bytes: (count) => randomBytes(count), uuid: () => randomUUID() })
