/** Capabilities are compared in lower case and without blanks around them; each counts once. */
export const capabilityKeys = (capabilities: readonly string[]): string[] => [
  ...new Set(capabilities.map((capability) => capability.trim().toLowerCase())),
]
