import { DEFAULT_URL } from './default-url.ts'

/** For commands that use a service anywhere. */
export const urlOption = [
  '--url <url>',
  'where the service is, or set GUILDHALL_URL',
  process.env.GUILDHALL_URL || DEFAULT_URL,
] as const
