const LONGEST = 100

/** A foreign name made safe to show: one line, no invisible characters, limited length. Null when nothing is left of it. */
export function shownName(name: string | null): string | null {
  const line = (name ?? '')
    .normalize('NFC')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line === '' ? null : [...line].slice(0, LONGEST).join('').trim()
}
