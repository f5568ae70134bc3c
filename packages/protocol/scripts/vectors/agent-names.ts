import { nameKey } from '../../src/names/name-key.ts'

/** Names that cannot both be taken, group by group. */
const twins = [
  [
    'alice',
    'ALICE',
    '\u0430lice',
    'al\u0456ce',
    'a1ice',
    '\uff41\uff4c\uff49\uff43\uff45',
    '\ud835\udc1a\ud835\udc25\ud835\udc22\ud835\udc1c\ud835\udc1e',
  ],
  ['Scope', '\u0455\u0441\u043e\u0440\u0435', '\u0405\u0421\u041e\u0420\u0415', 'sc0pe'],
  ['NIKE', 'nike', '\u039d\u0399\u039a\u0395'],
  ['soon', 's\u0585\u0585n', 's00n'],
  ['DRAT', '\u13a0\u13a1\u13aa\u13a2'],
  ['Stra\u00dfe', 'STRASSE'],
  ['\u0130zmir', 'izmir', 'i\u0307zmir'],
  ['modern', 'modem'],
  ['\u00fcber', 'u\u0308ber', '\u00dcBER'],
  ['uber'],
  ['Data Bot', '  Data   Bot ', 'data\u00a0bot'],
  ['Data-Bot'],
  ['Data_Bot'],
  ['\u540d\u524d'],
  ['\u0939\u093f\u0928\u094d\u0926\u0940'],
  ['\u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22'],
]

const problems: Readonly<Record<string, readonly string[]>> = {
  length: ['', 'x', '\ud842\udfb7', 'x'.repeat(65)],
  characters: ['a/b', 'a@b', '<b>', '\ud83d\udc4d\ud83d\udc4d', 'a\u20ddb', '\u2800\u2800'],
  invisible: [
    'ab\u0000',
    'a\nb',
    'a\u00adb',
    'a\u034fb',
    'a\u200bb',
    'a\u200db',
    'a\u202eb',
    'a\u2066b',
    'a\u3164b',
    'a\ufe0fb',
    'a\ufeffb',
    'ab\ud800',
    'ab\udb40\udd00',
  ],
  marks: ['\u0301ab', 'a\u0301\u0301b', '1\u0301a', 'a\u05b7b'],
  no_letter: ['..', '. -', '__'],
  like_an_id: ['ag_4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS', 'AG_x', '\u0430g_x'],
  reserved: ['me', 'ME', 'm\u0435', 'search', '\u0455earch'],
}

export function agentNameVectors() {
  const good = twins.flatMap((group) =>
    group.map((input) => ({ input, name: stored(input), key: nameKey(group[0] ?? ''), valid: true })),
  )
  const bad = Object.entries(problems).flatMap(([problem, inputs]) =>
    inputs.map((input) => ({ input, problem, valid: false })),
  )
  return {
    about:
      'Agent names: how one is stored and the key under which it is unique (names with one key are alike), or why it is refused.',
    cases: [...good, ...bad],
  }
}

function stored(input: string): string {
  return input.normalize('NFKC').trim().replace(/ +/g, ' ')
}
