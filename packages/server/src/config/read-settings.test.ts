import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSettings } from './read-settings.ts'
import { SettingsError } from './settings-error.ts'

/** Any characters, be they letters, controls or none at all. */
const character = fc.nat(0x10f7ff).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))

/** Every name that the reader asks for, found by asking. */
function namesRead(): readonly string[] {
  const names = new Set<string>()
  const watched = new Proxy<Record<string, string | undefined>>(
    { GUILDHALL_MODE: 'sandbox' },
    {
      get(target, name) {
        names.add(String(name))
        return target[String(name)]
      },
    },
  )
  expect(() => readSettings(watched)).toThrow(SettingsError)
  return [...names]
}

test('any environment is read, or every problem with it is named; nothing else is thrown', () => {
  const names = namesRead()
  expect(names.length).toBeGreaterThan(30)
  const values = fc.oneof(
    fc.string({ unit: character }),
    fc.constantFrom(
      '0',
      '-1',
      '1e9',
      'enabled',
      'sandbox',
      '{}',
      '[]',
      'null',
      '{"a":1}',
      '[null]',
      '[{"network":{"toString":1}}]',
      '[{"network":"__proto__","finality":[]}]',
      'http://x',
      'https://',
      '::1/128',
    ),
    fc.json(),
    fc.domain().map((name) => `https://${name}/a`),
    fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
    fc.nat().map(String),
  )
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), values, { maxKeys: 30 }), (environment) => {
      try {
        readSettings(environment)
      } catch (error) {
        expect(error).toBeInstanceOf(SettingsError)
        const { GUILDHALL_REGISTRY_KEY: registry = '', GUILDHALL_ESCROW_KEY: escrow = '' } = environment
        for (const key of [registry, escrow].filter((text) => text.length > 10))
          expect(String(error)).not.toContain(key)
      }
    }),
  )
})

test.each([
  'https://guildhall.example/market',
  'https://guildhall.example/?from=here',
  'https://guildhall.example/#top',
  'https://somebody:secret@guildhall.example',
])('the public address is scheme, host and port, and nothing more: %s', (address) => {
  const read = () => readSettings({ GUILDHALL_BASE_URL: address })
  expect(read).toThrow('GUILDHALL_BASE_URL is more than scheme, host and port')
  expect(read).not.toThrow('secret')
})

test.each(['https://guildhall.example', 'https://guildhall.example/', 'HTTP://127.0.0.1:80/'])(
  'a public address may end with a slash: %s',
  (address) => expect(() => readSettings({ GUILDHALL_BASE_URL: address })).not.toThrow('GUILDHALL_BASE_URL'),
)
