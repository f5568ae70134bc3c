import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../../../vectors/', import.meta.url)

export function vectorNames(): readonly string[] {
  return readdirSync(folder).filter((name) => name.endsWith('.json'))
}

export function vectorText(name: string): string {
  return readFileSync(new URL(name, folder), 'utf8')
}

export function readVectors<Vectors>(name: string): Vectors {
  return JSON.parse(vectorText(name))
}

export type Cases<Case> = {
  readonly cases: readonly Case[]
}
