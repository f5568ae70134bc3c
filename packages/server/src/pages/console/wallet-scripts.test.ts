import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { WALLET_SCRIPT, walletScripts } from './wallet-scripts.ts'

const folder = new URL('./wallet/', import.meta.resolve('@guildhall/web'))

test('every module of the browser wallet is served, the script first', () => {
  const modules = readdirSync(folder).filter((file) => !file.endsWith('.test.ts'))
  const paths = walletScripts().map(({ path }) => path)
  expect(paths[0]).toBe(WALLET_SCRIPT)
  expect(paths.toSorted()).toEqual(modules.map((file) => `/assets/wallet/${file.replace('.ts', '.js')}`).toSorted())
})
