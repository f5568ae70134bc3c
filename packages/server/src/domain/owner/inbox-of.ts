/**
 * The inbox that a normalised address most likely reaches: most mail servers put `ada+anything@` into that of `ada@`. Limits count by
 * it, so that nobody floods one inbox under many names; mail goes to the address itself.
 */
export const inboxOf = (email: string): string => email.replace(/(?<=^[^+@]+)\+[^@]*/, '')
