/** Writes vectors/*.json, by which any language can check its own implementation: `node packages/protocol/scripts/print-vectors.ts` */
import { mkdirSync, writeFileSync } from 'node:fs'
import { vectorFiles } from './vectors/vector-files.ts'

const folder = new URL('../../../vectors/', import.meta.url)
mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(vectorFiles())) writeFileSync(new URL(name, folder), text)
