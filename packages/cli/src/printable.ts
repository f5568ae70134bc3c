/** Untrusted text: nothing in it may control the terminal. */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (mark) => (mark === '\n' ? mark : '\uFFFD'))
