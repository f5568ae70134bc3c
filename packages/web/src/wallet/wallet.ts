import { chooseWay } from './choose-way.ts'
import { acceptBody, fieldsOf, missingIn, taskBody } from './form-body.ts'
import { payByWallet, type Sent } from './pay-by-wallet.ts'
import { payPanel } from './pay-panel.ts'
import { randomHex } from './sign-payment.ts'
import type { ChainInfo } from './terms.ts'
import { watchForWallets } from './wallets.ts'

/** With the service's time in the page, it tells how far this machine's clock is off. */
const loadedAt = Date.now()

const BODIES: Readonly<Record<string, (form: FormData) => Readonly<Record<string, unknown>> | null>> = {
  post: (form) => taskBody(fieldsOf(form)),
  accept: (form) => acceptBody(fieldsOf(form)),
  fund: () => null,
}

function bind(form: HTMLFormElement): void {
  const place = form.querySelector<HTMLElement>('[data-pay-panel]')
  if (place === null) return
  const panel = payPanel(place)
  chooseWay(form)
  const sent: Sent = { unanswered: null }
  let busy = false
  form.addEventListener('submit', (event) => {
    if (form.dataset.pay === 'post' && new FormData(form).get('payment') !== 'escrow') return
    event.preventDefault()
    if (busy) return
    busy = true
    form.setAttribute('aria-busy', 'true')
    payByWallet(purchaseOf(form), panel, sent)
      .then((taskId) => {
        if (taskId === null) panel.say('Nothing was paid.')
        else location.assign(`/console/tasks/${encodeURIComponent(taskId)}`)
      })
      .catch((error: unknown) => panel.fail(error instanceof Error ? error.message : String(error)))
      .finally(() => {
        busy = false
        form.removeAttribute('aria-busy')
      })
  })
}

function purchaseOf(form: HTMLFormElement) {
  const { pay = '', api = '', amount = '', network = '', payee = '', chains = '[]', now = '' } = form.dataset
  const data = new FormData(form)
  const body = BODIES[pay]?.(data) ?? null
  const bounty = (body?.bounty ?? { amount, network }) as { readonly amount: string; readonly network: string }
  return {
    call: { path: api, csrf: String(data.get('csrf') ?? ''), key: randomHex(16), body },
    problem: pay === 'post' ? missingIn(fieldsOf(data)) : null,
    expected: bounty,
    payee,
    chains: JSON.parse(chains) as readonly ChainInfo[],
    now: () => Number(now) + Date.now() - loadedAt,
  }
}

watchForWallets()
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-pay]')) bind(form)
