/** A JSON-RPC error, from the node or from the sandbox. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(error: { readonly code: number; readonly message: string; readonly data?: unknown }) {
    super(error.message)
    this.code = error.code
    this.data = error.data
  }
}

/** The node did not answer: whether the call was carried out is unknown. */
export class NodeLost extends Error {}
