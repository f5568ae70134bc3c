import type { Reader } from '../ports/store.ts'
import type { Connection } from './connection.ts'

/** Inserted in one order, so that two transactions with the same new words cannot deadlock. */
const learn = `
insert into known_words (word) select word from unnest($1::text[]) word order by word collate "C" on conflict do nothing`

/** Remembers the words of a profile; those that are known already cost nothing. */
export const learnWords = (connection: Connection, words: readonly string[]): Promise<number> =>
  connection.change(learn, [words])

const strange = `
select asked.word from unnest($1::text[], $2::text[]) asked (word, beyond)
where not exists (select from known_words known where known.word >= asked.word and known.word < asked.beyond)`

/** Upper bound of a prefix scan: in byte order, every word that begins with this one sorts before it. */
const beyond = (word: string): string => `${word}\u{10ffff}`

const MOST_ALIKE = 50
const MOST_HOLDING = 20

/** Words that contain the asked one, and words that share enough trigrams with it. */
const alike = `
select asked.word as asked, near.word
from unnest($1::text[], $2::text[]) asked (word, pattern), lateral (
  (select known.word from known_words known where known.word like asked.pattern
   order by length(known.word), known.word limit ${MOST_HOLDING})
  union
  (select known.word from known_words known where known.word % asked.word
   order by similarity(known.word, asked.word) desc, known.word limit ${MOST_ALIKE})
) near
order by near.word`

/** A trigram index cannot find shorter parts. */
const SHORTEST_PART = 3

const holding = (word: string): string =>
  Array.from(word).length < SHORTEST_PART ? literal(word) : `%${literal(word)}%`

const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

export const knownWordsReads = (connection: Connection) =>
  ({
    strangeWords: async (words) =>
      (await connection.rows<{ word: string }>(strange, [words, words.map(beyond)])).map(({ word }) => word),
    async alikeWords(words) {
      const found = new Map<string, string[]>(words.map((word) => [word, []]))
      const rows = await connection.rows<{ asked: string; word: string }>(alike, [words, words.map(holding)])
      for (const { asked, word } of rows) found.get(asked)?.push(word)
      return found
    },
  }) satisfies Partial<Reader>
