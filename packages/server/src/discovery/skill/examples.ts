import { readFileSync } from 'node:fs'
import type { Published } from '../published.ts'

const SOURCE = readFileSync(new URL('./guildhall.js', import.meta.url), 'utf8')
const REGION = /^\/\/ #region (\S+)\n(.*?)^\/\/ #endregion$/gms

const regions = new Map([...SOURCE.matchAll(REGION)].map(([, name, code = '']) => [name, code.trimEnd()]))

/** A region of guildhall.js with this service's values filled in. */
export function example(name: string, { baseUrl, serviceName, limits }: Published): string {
  const code = regions.get(name)
  if (code === undefined) throw new Error(`There is no example called ${name}.`)
  const made = code
    .replace("'http://127.0.0.1:8787'", JSON.stringify(baseUrl))
    .replace("'Guildhall payout wallet'", JSON.stringify(`${serviceName} payout wallet`))
    .replace('const PAGE = 1000', `const PAGE = ${limits.chain.max}`)
  return ['```js', made, '```'].join('\n')
}
