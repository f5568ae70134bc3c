/** Capabilities are compared in lower case; each counts once. */
export const capabilityKeys = (capabilities: readonly string[]): string[] => [
  ...new Set(capabilities.map((capability) => capability.toLowerCase())),
]
