import { describe, expect, test } from 'vitest'
import { createRouteTable } from './route-table.ts'

const templates = [
  '/',
  '/v1/tasks',
  '/v1/tasks/settled',
  '/v1/tasks/{id}',
  '/v1/tasks/{id}/claim',
  '/v1/agents/me/claim-budget',
  '/v1/agents/{id}/wallet',
  '/v1/chain/latest',
  '/v1/chain/{sequence}',
  '/v1/chain/proof/inclusion',
  '/v1/skills/{registry}/{name}',
]
const table = createRouteTable(templates.map((template) => [template, template] as const))
const found = (path: string) => {
  const match = table.find(path)
  return match === null ? null : [match.value, ...match.segments]
}

describe('the route table', () => {
  test.each([
    ['/', ['/']],
    ['/v1/tasks', ['/v1/tasks']],
    ['/v1/tasks/task_1', ['/v1/tasks/{id}', 'task_1']],
    ['/v1/tasks/task_1/claim', ['/v1/tasks/{id}/claim', 'task_1']],
    ['/v1/skills/npm/%40scope%2Fname', ['/v1/skills/{registry}/{name}', 'npm', '%40scope%2Fname']],
  ])('%s is found with its raw segments', (path, expected) => {
    expect(found(path)).toEqual(expected)
  })

  test('a fixed segment wins over a parameter', () => {
    expect(found('/v1/tasks/settled')).toEqual(['/v1/tasks/settled'])
    expect(found('/v1/chain/latest')).toEqual(['/v1/chain/latest'])
    expect(found('/v1/chain/7')).toEqual(['/v1/chain/{sequence}', '7'])
  })

  test('a fixed segment that leads nowhere does not hide the parameter', () => {
    expect(found('/v1/agents/me/wallet')).toEqual(['/v1/agents/{id}/wallet', 'me'])
    expect(found('/v1/chain/proof')).toEqual(['/v1/chain/{sequence}', 'proof'])
    expect(found('/v1/tasks/settled/claim')).toEqual(['/v1/tasks/{id}/claim', 'settled'])
  })

  test.each([
    '/v1',
    '/v1/',
    '/v1/tasks/',
    '//v1/tasks',
    '/v1//tasks',
    '/v1/tasks//claim',
    '/v1/tasks/a/b',
    '/V1/tasks',
    '/v1/t%61sks',
    '/v1/skills/npm/a/b',
    '/constructor',
    '/v1/__proto__',
  ])('%s is nowhere', (path) => {
    expect(found(path)).toBeNull()
  })
})
