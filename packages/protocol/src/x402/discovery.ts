type Json = Readonly<Record<string, unknown>>

/** How to call a paid POST, for catalogues of x402 services ("bazaar"): `schema` describes `info`, which includes the body. */
export const discoveryExtension = (call: {
  readonly body: Json
  readonly bodySchema: Json
  readonly answer: Json
}) => ({
  bazaar: {
    info: {
      input: { type: 'http', method: 'POST', bodyType: 'json', body: call.body },
      output: { type: 'json', example: call.answer },
    },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: {
            type: { const: 'http' },
            method: { const: 'POST' },
            bodyType: { const: 'json' },
            body: call.bodySchema,
          },
          required: ['type', 'method', 'bodyType', 'body'],
        },
        output: { type: 'object' },
      },
      required: ['input'],
    },
  },
})
