/** No node of the chain answered, or none that can be believed. */
export type Unreachable = { readonly kind: 'unreachable'; readonly cause: string }
