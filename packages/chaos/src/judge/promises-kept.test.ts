import { expect, test } from 'vitest'
import { openNotebook, type Person, type Standing } from '../load/notebook.ts'
import type { Found, FoundTask } from './look-around.ts'
import { promisesBroken } from './promises-kept.ts'

const person = (id: string): Person => ({
  id,
  wallet: '0x',
  given: 10n,
  clients: [] as never,
  reader: {} as never,
  bondsAsked: 0,
  bondsTold: 0,
  withdrawalsAsked: 0,
  withdrawalsTold: 0,
  accepted: 0,
})

const paid: FoundTask = {
  id: 'task_1',
  title: 'one',
  buyer: 'buyer',
  worker: 'worker',
  standing: 'verified',
  escrow: 'released',
  bounty: 3n,
  network: 'eip155:8453',
}

function judged(changes: Partial<Found>, told: Standing = 'verified', asked: Standing = told): readonly string[] {
  const notebook = openNotebook([person('buyer'), person('worker')])
  notebook.tasks.push({ title: 'one', buyer: 'buyer', bounty: 3n, network: 'eip155:8453', id: 'task_1', told, asked })
  const found: Found = {
    tasks: [paid],
    agents: new Set(['buyer', 'worker']),
    wallets: new Map([
      ['buyer', 7n],
      ['worker', 13n],
    ]),
    bonds: new Map(),
    reserves: [{ network: 'eip155:8453', owed: 0n, held: 0n }],
    ...changes,
  }
  return [...promisesBroken(notebook, found)]
}

test('a change that was acknowledged and is there breaks no promise, nor does a request without an answer yet', () => {
  expect(judged({})).toEqual([])
  expect(judged({}, 'submitted', 'verified')).toEqual([])
})

test('a task in another state than its clients were told is a broken promise', () => {
  expect(judged({}, 'cancelled')).toEqual([expect.stringContaining('is verified; its clients were told cancelled')])
})

test('an acknowledged task that is gone is a broken promise', () => {
  expect(judged({ tasks: [] })).toContainEqual(expect.stringContaining('task task_1 is absent'))
})

test('a task that was posted once and is there twice is a broken promise', () => {
  expect(judged({ tasks: [paid, { ...paid, id: 'task_2' }] })).toContainEqual(expect.stringContaining('2 times'))
})

test('a wallet that was paid twice is a broken promise', () => {
  const wallets = new Map([
    ['buyer', 7n],
    ['worker', 16n],
  ])
  expect(judged({ wallets })).toEqual(['the wallet of worker holds 16 instead of 13'])
})

test('an agent that was registered and is not there is a broken promise', () => {
  expect(judged({ agents: new Set(['buyer']) })).toEqual(['agent worker was registered and is not there'])
})

test('reserves that are not on chain are a broken promise', () => {
  expect(judged({ reserves: [{ network: 'eip155:8453', owed: 3n, held: 2n }] })).toEqual([
    'eip155:8453: 3 is owed and the escrow wallet holds 2',
  ])
})
