/** No RPC node answered, or its answer is not usable. */
export type Unreachable = { readonly kind: 'unreachable'; readonly cause: string }
