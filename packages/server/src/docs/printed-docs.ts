import { openApiDocument } from '@guildhall/protocol'
import { errorsPage } from './errors-page.ts'
import { statesPage } from './states-page.ts'

/** The documents that are printed from code, by their file name in docs/. */
export const printedDocs = (): Readonly<Record<string, string>> => ({
  'openapi.json': `${JSON.stringify(openApiDocument({ baseUrl: 'http://127.0.0.1:8787', serviceName: 'Guildhall', sandbox: true }), null, 1)}\n`,
  'errors.md': errorsPage(),
  'states.md': statesPage(),
})
