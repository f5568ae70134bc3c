import { isIP } from 'node:net'
import { isNetwork } from '../outgoing/public-address.ts'

export const LOOPBACK = '127.0.0.0/8,::1/128'

export function networkList(name: string, networks: readonly string[], problems: string[]): readonly string[] {
  const wrong = networks.filter((network) => !isNetwork(network))
  for (const network of wrong) problems.push(`${name} names '${network}', but networks such as 10.0.0.0/8 are needed.`)
  return networks.filter((network) => !wrong.includes(network))
}

export function proxiesOf(list: readonly string[], problems: string[]): readonly string[] {
  for (const entry of list) {
    const [address = '', bits, ...rest] = entry.split('/')
    const isNetwork = bits === undefined || /^\d{1,3}$/.test(bits)
    if (isIP(address) !== 0 && isNetwork && rest.length === 0) continue
    problems.push(`GUILDHALL_TRUSTED_PROXIES has '${entry}', but addresses or networks such as 10.0.0.0/8 are needed.`)
  }
  return list
}
