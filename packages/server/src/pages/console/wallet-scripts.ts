import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { htmlHeaders } from '@guildhall/web'
import type { Page } from '../../http/page.ts'

/** The script and the modules that it imports. */
const MODULES = [
  'wallet',
  'call-service',
  'choose-way',
  'form-body',
  'pay-by-wallet',
  'pay-panel',
  'prepare-wallet',
  'sign-payment',
  'terms',
  'unanswered',
  'wallets',
  'words-in',
] as const

const pathOf = (name: (typeof MODULES)[number]): string => `/assets/wallet/${name}.js`

/** The script of pages on which something can be paid. */
export const WALLET_SCRIPT = pathOf('wallet')

/** The browser wallet's modules with their types stripped, each at its own path. */
export function walletScripts(): readonly Page[] {
  const folder = new URL('./wallet/', import.meta.resolve('@guildhall/web'))
  return MODULES.map((name) => {
    const body = scriptIn(readFileSync(new URL(`${name}.ts`, folder), 'utf8'))
    const headers = { ...htmlHeaders, 'Content-Type': 'text/javascript; charset=utf-8' }
    return { path: pathOf(name), render: () => ({ headers, body }) }
  })
}

const scriptIn = (source: string): string =>
  quietly(() => stripTypeScriptTypes(source)).replaceAll(/(from '\.\/[a-z-]+)\.ts'/g, "$1.js'")

/** Silences Node's warning that the function is experimental: operators cannot do anything about it. */
function quietly<T>(work: () => T): T {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return work()
  } finally {
    process.emitWarning = emitWarning
  }
}
