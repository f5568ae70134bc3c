/** A part of the world with some of its methods replaced. */
export const withChanges = <T extends object>(part: T, changes: Partial<T>): T =>
  new Proxy(part, { get: (known, name) => changes[name as keyof T] ?? known[name as keyof T] })
