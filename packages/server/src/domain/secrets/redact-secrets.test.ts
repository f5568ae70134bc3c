import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findSecrets } from './find-secrets.ts'
import { redactSecrets } from './redact-secrets.ts'

const HEX = 'c0ffee254729296a45a3885639ac7e10f9d54979ac0ffee254729296a45a3885'
const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const alphanumeric = (length: number) =>
  'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6'.repeat(3).slice(0, length)
const PEM = `-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----`
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'

const SECRETS: readonly (readonly [string, string])[] = [
  ['a PEM key', PEM],
  ['an RSA key', PEM.replaceAll('PRIVATE', 'RSA PRIVATE')],
  ['an OpenSSH key', PEM.replaceAll('PRIVATE', 'OPENSSH PRIVATE')],
  ['a PGP key', PEM.replaceAll('PRIVATE KEY', 'PGP PRIVATE KEY BLOCK')],
  ['a PEM key in one line, as JSON writes it', PEM.replaceAll('\n', '\\n')],
  ['a wallet key', `0x${HEX}`],
  ['a wallet key in capitals', `0X${HEX.toUpperCase()}`],
  ['an agent key', HEX],
  ['a seed phrase', PHRASE],
  ['a seed phrase of 24 words', `${PHRASE} ${PHRASE}`],
  [
    'a numbered seed phrase',
    PHRASE.split(' ')
      .map((word, place) => `${place + 1}. ${word}`)
      .join('\n'),
  ],
  ['a seed phrase with commas and capitals', PHRASE.toUpperCase().replaceAll(' ', ', ')],
  ['a web token', JWT],
  ['an AWS key', 'AKIAIOSFODNN7EXAMPLE'],
  ['a GitHub token', `ghp_${alphanumeric(36)}`],
  ['a fine-grained GitHub token', `github_pat_${alphanumeric(22)}_${alphanumeric(59)}`],
  ['a Slack token', 'xoxb-1234567890-1234567890-AbCdEfGhIjKlMnOp'],
  ['a Stripe key', `sk_live_${alphanumeric(24)}`],
  ['a key of a model provider', `sk-ant-api03-${alphanumeric(40)}`],
  ['a web token without claims', JWT.replace(/\..*\./, '.e30.')],
  ['an extended key', `xprv${alphanumeric(107)}`],
  ['a key of a Bitcoin wallet', '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ'],
  [
    'a key pair of a Solana wallet',
    '4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw3SLWf8AxVDSQm8VyjPyTvTNvMDcTfKaDw2BVMXDVeNSmS',
  ],
  ['an address to which anybody may post', `hooks.slack.com/services/T00000000/B00000000/${alphanumeric(24)}`],
  ['a manage token', `gmt_${randomBytes(32).toString('base64url')}`],
  ['a webhook secret', `whsec_${randomBytes(32).toString('base64').replaceAll('=', '')}`],
  ['a signed payment', Buffer.from(JSON.stringify({ x402Version: 2, payload: alphanumeric(150) })).toString('base64')],
]

const NOTHING_LEFT = (secret: string) => secret.replaceAll(/\s+|\\n/g, ' ').split(' ')

describe('a secret is taken out of the text around it:', () => {
  test.each(SECRETS)('%s', (_, secret) => {
    for (const text of [
      secret,
      `before ${secret} after`,
      `{"key":"${secret}"}`,
      `https://host/?a=1&b=${secret}#end`,
      `(${secret})`,
    ]) {
      const redacted = redactSecrets(text)
      expect(redacted).toMatch(/\[redacted [A-Za-z ]+\]/)
      for (const part of NOTHING_LEFT(secret).filter((piece) => piece.length > 12)) expect(redacted).not.toContain(part)
    }
    expect(redactSecrets(`Abc\n\n${secret}\n\nxyz`)).toMatch(/^Abc\n\n.*\n\nxyz$/s)
  })

  test.each([
    ['Authorization: Bearer 0123456789abcdef0123', 'Authorization: Bearer [redacted bearer token]'],
    ['password=correct-horse', 'password=[redacted secret]'],
    ['"client_secret": "abcdefghij"', '"client_secret": "[redacted secret]"'],
    ['AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'AWS_SECRET_ACCESS_KEY=[redacted secret]'],
    ['api-key: k3y-of-mine', 'api-key: [redacted secret]'],
    ['password=hunter2 pw: letme1n', 'password=[redacted secret] pw: [redacted secret]'],
    ['passphrase: "correct horse battery", next', 'passphrase: "[redacted secret]", next'],
    [`__Host-guildhall_session=${alphanumeric(43)}; a=b`, '__Host-guildhall_session=[redacted secret]; a=b'],
    ['postgresql://me:hunter2@host/db', 'postgresql://me:[redacted password]@host/db'],
  ])('%s', (text, redacted) => {
    expect(redactSecrets(text)).toBe(redacted)
  })
})

describe('a secret that hides is found:', () => {
  const BROKEN = [`0x${HEX}`, HEX, `ghp_${alphanumeric(36)}`, `gmt_${alphanumeric(43)}`, JWT, 'AKIAIOSFODNN7EXAMPLE']
  const breaks: readonly (readonly [string, string])[] = [
    ['a line end', '\n'],
    ['a line end of Windows with an indent', '\r\n    '],
    ['a written line end', '\\n'],
    ['a quoted line', '\n> '],
    ['a hyphen at the end of a line', '-\n'],
    ['a zero-width space', '\u200B'],
    ['a soft hyphen', '\u00AD'],
    ['a typeset hyphen', '\u2010'],
    ['a long dash', '\u2014'],
  ]
  test.each(breaks)('broken by %s', (_, gap) => {
    for (const secret of BROKEN) {
      for (const place of [12, Math.floor(secret.length / 2), secret.length - 3]) {
        const redacted = redactSecrets(`here: ${secret.slice(0, place)}${gap}${secret.slice(place)} end`)
        expect(redacted).toContain('[redacted')
        expect(redacted).not.toContain(secret.slice(4, Math.min(place, 16)))
        expect(redacted).toMatch(/^here: .* end$/s)
      }
    }
  })

  test('broken over many lines', () => {
    const lines = (`0x${HEX}`.match(/.{1,8}/g) ?? []).join('\n')
    expect(redactSecrets(lines)).toBe('[redacted key]')
  })

  test('in full-width letters, or between dashes that a word processor made', () => {
    const wide = [...`0x${HEX}`].map((character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0)).join('')
    expect(redactSecrets(wide)).toBe('[redacted key]')
    expect(redactSecrets(PEM.replaceAll('-----', '\u2014\u2014-'))).not.toContain('MC4C')
  })

  test('in base64, in one line or in several', () => {
    for (const [, secret] of SECRETS) {
      const wrapped = Buffer.from(secret).toString('base64')
      const several = (wrapped.match(/.{1,76}/g) ?? []).join('\n')
      for (const text of [wrapped, several]) {
        const redacted = redactSecrets(`see ${text} there`)
        expect(redacted).toContain('[redacted')
        expect(redacted).not.toContain(wrapped.slice(4, 28))
      }
    }
  })

  test('cut off before its end', () => {
    expect(redactSecrets(PEM.slice(0, 70))).toBe('-----[redacted private key]')
  })
})

describe('what is no secret stays:', () => {
  test.each([
    'The task never left `funding`, though the deposit 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 settled.',
    'task_01JCQ0Z8XK4N9M2P3Q4R5S6T7U8V9W and req_0123456789abcdef01230000000a',
    'commit 3b18e512dba79e4c8300dd08aeb37f8e728b8dad\n3b18e512dba79e4c8300dd08aeb37f8e728b8dad',
    'ids 550e8400-e29b-41d4-a716-446655440000\n550e8400-e29b-41d4-a716-446655440000',
    'agent ag_4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM is not active',
    'I expected 409 wallet_required. The token: expired. My password: none. Ask for a bearer of news.',
    'A token such as ghp_ begins like this,\nand then it goes on for a while with words',
    'see https://example.com/a/very/long/path/to/a/file/that/has/many/segments.html?and=query&more=12345678',
    'Erwartet: 200 – bekommen: 500. \u00DCberraschung! \u{1F600}\u200D\u{1F600}',
    'At most 5 sessions: 1000 users, max_tokens: 4096, tokens=12345, session=30min, pass: no',
    'when the year is about to begin we will all have to make a good plan and wait for the result',
  ])('%s', (text) => {
    expect(redactSecrets(text)).toBe(text)
  })

  test('any text without secrets is returned as it was written, character by character', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => redactSecrets(text) === text))
  })
})

describe('the work', () => {
  const worstCases: readonly string[] = [
    'eyJ',
    'eyJ-',
    'eyJ.',
    'eyJaaaaaaaaaa.',
    '0x',
    'a',
    'f',
    '-',
    '-----BEGIN ',
    'BEGIN PRIVATE KEY',
    'END ',
    'BEGIN END ',
    'token=',
    'token:',
    'password="',
    '://a:',
    '://',
    ':',
    '=',
    'Bearer ',
    'bearer  ',
    ' ',
    '\n',
    '\\n',
    '-\n',
    '\u200B',
    '\u2014',
    'legal ',
    'abandon',
    'ghp_',
    'ghp_a',
    'xoxb-',
    'sk_live_',
    'AKIA',
    'AKIA1',
    'gmt_',
    'LS0t',
    '\u{1F600}',
    'ü',
  ]

  test.each(worstCases)('grows with the text and no faster: %j', (piece) => {
    const stepsFor = (length: number) => {
      let steps = 0
      findSecrets(piece.repeat(Math.ceil(length / piece.length)).slice(0, length), (count) => {
        steps += count
      })
      return steps
    }
    const [small, large] = [stepsFor(2_000), stepsFor(32_000)]
    expect(large).toBeLessThanOrEqual(16 * small * 1.1 + 10_000)
    expect(large / 32_000).toBeLessThan(300)
  })

  test('stays small for every mixture of the worst', () => {
    const mixture = fc.array(fc.constantFrom(...worstCases), { maxLength: 400 })
    fc.assert(
      fc.property(mixture, (pieces) => {
        const text = pieces.join('')
        let steps = 0
        findSecrets(text, (count) => {
          steps += count
        })
        return steps <= 300 * text.length + 1_000
      }),
    )
  })
})
