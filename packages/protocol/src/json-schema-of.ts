import { z } from 'zod'

export type Json = Record<string, unknown>

/** A schema as the OpenAPI document shows it, for what a caller sends (`input`) or gets (`output`). */
export const jsonSchemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: restoreNumber }) as Json
  return json
}

/** For a number in a query string, Zod drops the default, because the text is transformed, but keeps the text's pattern. */
const restoreNumber: NonNullable<z.core.JSONSchemaGeneratorParams['override']> = ({ zodSchema, jsonSchema }) => {
  const declared = z.globalRegistry.get(zodSchema)?.default
  if (declared !== undefined) jsonSchema.default = declared as number
  if (jsonSchema.type === 'integer') delete jsonSchema.pattern
}
