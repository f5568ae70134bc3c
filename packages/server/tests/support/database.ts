import { randomUUID } from 'node:crypto'
import { Client, DatabaseError } from 'pg'
import { inject } from 'vitest'
import { urlOf } from './database-url.ts'

export type FreshDatabase = { readonly url: string; drop(): Promise<void> }

/** An empty, migrated database of one's own. */
export const freshDatabase = (): Promise<FreshDatabase> => databaseLike(inject('database').template)

/** One that nobody has migrated yet. */
export const bareDatabase = (): Promise<FreshDatabase> => databaseLike('template1')

async function databaseLike(template: string): Promise<FreshDatabase> {
  const { adminUrl, url } = inject('database')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await copyTemplate(adminUrl, template, name)
  return { url: urlOf(url, name), drop: () => onServer(adminUrl, `drop database if exists ${name} with (force)`) }
}

const SOURCE_IS_IN_USE = '55006'

/** Somebody else's copy, or the server tidying up, may hold the template for a moment. */
async function copyTemplate(adminUrl: string, template: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await onServer(adminUrl, `create database ${name} template ${template}`)
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== SOURCE_IS_IN_USE || attempt === 10) throw error
    }
  }
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
