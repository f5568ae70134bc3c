import { expect, test } from 'vitest'
import { databaseUrlProblem } from './database-url-problem.ts'

test.each([
  'postgresql://user@host/guildhall',
  'postgres://user:p%23ss@host:5432/guildhall?sslmode=require',
  'postgresql://guildhall@localhost:5432/guildhall?host=%2Fvar%2Frun%2Fpostgresql',
  'postgresql://user@/guildhall?host=/var/run/postgresql',
  'postgresql:///guildhall?user=guildhall&host=/var/run/postgresql',
  'postgresql://[::1]:5432/guildhall',
  'socket:/var/run/postgresql?db=guildhall',
  '/var/run/postgresql guildhall',
])('an address that the driver understands is taken: %s', (url) => {
  expect(databaseUrlProblem(url)).toBeNull()
})

test.each([
  'guildhall',
  'host/guildhall',
  'localhost:5432/guildhall',
  'mysql://user@host/guildhall',
  'https://host/guildhall',
  'postgresql://user:p/ss@host/guildhall',
  'postgresql://user:p#ss@host/guildhall',
  'postgresql://user@host:99999/guildhall',
])('what is no address of a PostgreSQL is refused with a sentence that repeats no password: %s', (url) => {
  expect(databaseUrlProblem(url)).toMatch(/^DATABASE_URL is not the address of a PostgreSQL, such as postgresql:/)
  expect(databaseUrlProblem(url)).not.toContain('ss@')
})
