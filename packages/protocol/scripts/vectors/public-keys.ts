import { hexToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { agent, registry, stranger } from './keys.ts'

const text = (hex: string): string => base58.encode(hexToBytes(hex))

export function publicKeyVectors() {
  const good = [agent, stranger, registry].map((key) => ({
    name: 'a good key',
    public_key: key.publicKeyText,
    hex: key.publicKeyHex,
    agent_id: key.agentId,
    valid: true,
  }))
  const bad = Object.entries({
    'identity, order 1': text(`01${'00'.repeat(31)}`),
    'order 2': text(`ec${'ff'.repeat(30)}7f`),
    'order 4': text('00'.repeat(32)),
    'order 4, odd x': text(`${'00'.repeat(31)}80`),
    'order 8': text('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'),
    'order 8, odd x': text('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85'),
    'order 8, other y': text('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'),
    'order 8, other y, odd x': text('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa'),
    'not canonical: minus zero': text(`01${'00'.repeat(30)}80`),
    'not canonical: y = p': text(`ed${'ff'.repeat(30)}7f`),
    'not canonical: y = p + 1': text(`ee${'ff'.repeat(30)}7f`),
    'not canonical: y = p + 3': text(`f0${'ff'.repeat(30)}7f`),
    'off the curve': text(`02${'00'.repeat(31)}`),
    '31 bytes': text(agent.publicKeyHex.slice(2)),
    '33 bytes': text(`01${agent.publicKeyHex}`),
    'a needless 1 in front': `1${agent.publicKeyText}`,
    'an agent id': agent.agentId,
    'not base58': agent.publicKeyText.replace(/.$/, '0'),
    'a space at the end': `${agent.publicKeyText} `,
    empty: '',
  }).map(([name, publicKey]) => ({ name, public_key: publicKey, valid: false }))
  return { about: 'Base58 Ed25519 public keys that an agent may have, and others.', cases: [...good, ...bad] }
}
