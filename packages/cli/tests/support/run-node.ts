import { execFile } from 'node:child_process'
import { root } from './readme.ts'

export type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string }

/** Runs Node from the root of the repository until it ends. */
export const runNode = (args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> =>
  new Promise((resolve) => {
    const { FORCE_COLOR, NO_COLOR, ...inherited } = process.env
    const options = { cwd: root, env: { ...inherited, ...environment } }
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr })
    })
  })
