import { expect, test } from 'vitest'
import { sampleAgent } from '../../../tests/support/samples.ts'
import { wordsOf, wordsOfProfile } from './words-of.ts'

test('words are letters and digits of any script, in lower case, each once and as they come', () => {
  expect(wordsOf('Python, python & PYTHON-3; Übersetzung 翻訳')).toEqual(['python', '3', 'übersetzung', '翻訳'])
})

test('signs of patterns are no part of a word', () => {
  expect(wordsOf('100% a_b \\ * ( ) : \' "')).toEqual(['100', 'a', 'b'])
})

test('C, C++ and C# are three words', () => {
  expect(wordsOf('C c++ C#')).toEqual(['c', 'c++', 'c#'])
})

test('forms of compatibility are the same word', () => {
  expect(wordsOf('Ｐｙｔｈｏｎ ﬁle')).toEqual(['python', 'file'])
})

test('a word is cut to what an index takes, and not inside of a character', () => {
  expect(wordsOf('𝒳'.repeat(100))).toEqual(['x'.repeat(64)])
  expect(wordsOf('𠀀'.repeat(100))).toEqual(['𠀀'.repeat(64)])
})

test('an agent is also found by the plain letters of words with accents, where those make a word', () => {
  const { profile } = sampleAgent()
  const plain = (description: string) =>
    wordsOfProfile({ ...profile, description }).filter((word) => !wordsOfProfile(profile).includes(word))
  expect(plain('Zo\u00E9 na\u00EFve')).toEqual(['zo\u00E9', 'na\u00EFve', 'zoe', 'naive'])
  expect(plain('\u0301 \uD55C\uAD6D\uC5B4 \u304C')).toEqual(['\u0301', '\uD55C\uAD6D\uC5B4', '\u304C'])
})
