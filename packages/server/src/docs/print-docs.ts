import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { printedDocs } from './printed-docs.ts'

const folder = join(import.meta.dirname, '../../../../docs')
for (const [name, text] of Object.entries(printedDocs())) {
  writeFileSync(join(folder, name), text)
  console.log(`docs/${name}`)
}
