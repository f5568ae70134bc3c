export type Hex = `0x${string}`
