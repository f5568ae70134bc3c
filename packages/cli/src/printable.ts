/** Somebody else wrote it: nothing in it may steer the terminal. */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (mark) => (mark === '\n' ? mark : '\uFFFD'))
