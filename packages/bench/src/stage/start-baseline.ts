import { fileURLToPath } from 'node:url'
import { type MeasuredServer, startProcess } from './start-process.ts'

export const BASELINES = ['plain', 'select', 'verify', 'transaction'] as const
export type BaselineKind = (typeof BASELINES)[number]

const FILE = fileURLToPath(new URL('./baseline-server.ts', import.meta.url))

export const startBaseline = (kind: BaselineKind, databaseUrl: string): Promise<MeasuredServer> =>
  startProcess({
    file: FILE,
    arguments: [kind],
    environment: { ...process.env, DATABASE_URL: databaseUrl },
    ready: async (message) => `http://127.0.0.1:${await message('port')}`,
  })
