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
    const [address = ''] = entry.split('/')
    if (isIP(address) !== 0 && (address === entry || isNetwork(entry))) continue
    problems.push(`GUILDHALL_TRUSTED_PROXIES has '${entry}', but addresses or networks such as 10.0.0.0/8 are needed.`)
  }
  return list
}
