export type Libsodium = typeof import('sodium-native')

/** Null where there is no build of it for this machine. */
export const libsodium: Libsodium | null = await import('sodium-native').then(
  (loaded) => loaded.default,
  () => null,
)
