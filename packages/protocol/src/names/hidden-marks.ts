/** Characters without a visible form: controls, format and bidi characters, variation selectors, fillers and blank letters. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{1107F}\u{13440}-\u{13442}\u{16FE4}]/u

/** Marks that only join the letters around them. */
const STACKER_WITHOUT_LETTER =
  /[\u1039\u17D2\u1A60\u1BAB\uAAF6\u{10A3F}\u{11133}\u{113D0}\u{1193E}\u{11A47}\u{11A99}\u{11F42}](?!\p{L})/u

const MARK_WITHOUT_LETTER = /(?<![\p{L}\p{M}])\p{M}/u
const MARK_TWICE = /(\p{M})\1/u
const TOO_MANY_MARKS = /\p{M}{5}|[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}{3}/u

/** Marks of other scripts are misplaced or invisible on these letters. */
const FOREIGN_MARK = [
  /\p{Script=Latin}\p{M}*[\p{M}--[\p{scx=Inherited}\p{scx=Latin}]]/v,
  /\p{Script=Greek}\p{M}*[\p{M}--[\p{scx=Inherited}\p{scx=Greek}]]/v,
  /\p{Script=Cyrillic}\p{M}*[\p{M}--[\p{scx=Inherited}\p{scx=Cyrillic}]]/v,
]

export function hasInvisible(text: string): boolean {
  return !text.isWellFormed() || INVISIBLE.test(text)
}

/** Whether a composed text has combining marks that readers may not see or cannot count. */
export function hasHiddenMark(text: string): boolean {
  const rules = [STACKER_WITHOUT_LETTER, MARK_WITHOUT_LETTER, TOO_MANY_MARKS, ...FOREIGN_MARK]
  return rules.some((rule) => rule.test(text)) || MARK_TWICE.test(text.normalize('NFD'))
}
