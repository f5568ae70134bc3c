import type { Endpoints } from '@guildhall/protocol'
import { expectTypeOf, test } from 'vitest'
import type { declarations } from '../../tests/support/test-declarations.ts'
import type { Caller } from '../domain/caller.ts'
import type { Call, Handlers, JsonAnswer } from './handler.ts'

type Declared = typeof declarations

test('a call has what its endpoint declares, parsed', () => {
  expectTypeOf<Call<Endpoints['claimTask']>['params']>().toEqualTypeOf<{ id: string }>()
  expectTypeOf<Call<Endpoints['listTasks']>['query']['limit']>().toEqualTypeOf<number>()
  expectTypeOf<Call<Endpoints['createTask']>['body']['title']>().toEqualTypeOf<string>()
  expectTypeOf<Call<Endpoints['health']>['body']>().toEqualTypeOf<undefined>()
})

test('a signed endpoint has a caller, an optional signature perhaps, a public one none', () => {
  expectTypeOf<Call<Endpoints['claimTask']>['caller']>().toEqualTypeOf<Caller>()
  expectTypeOf<Call<Declared['report']>['caller']>().toEqualTypeOf<Caller | null>()
  expectTypeOf<Call<Endpoints['getTask']>['caller']>().toEqualTypeOf<null>()
})

test('an answer takes read-only data', () => {
  expectTypeOf<{ status: 'ok'; skill_version: string }>().toExtend<JsonAnswer<Endpoints['health']>['body']>()
  expectTypeOf<readonly string[]>().toExtend<JsonAnswer<Endpoints['status']>['body']['networks']>()
})

test('every endpoint needs a handler; those of the sandbox may be left out', () => {
  expectTypeOf<undefined>().not.toExtend<Handlers['createTask']>()
  expectTypeOf<undefined>().toExtend<Handlers['faucet']>()
})
