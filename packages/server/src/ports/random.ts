export type Random = {
  bytes(count: number): Uint8Array
  uuid(): string
}
