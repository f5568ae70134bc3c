import { chooseWay } from './choose-way.ts'
import { acceptBody, fieldsOf, missingIn, taskBody } from './form-body.ts'
import { goOn, payByWallet } from './pay-by-wallet.ts'
import { payPanel } from './pay-panel.ts'
import { randomHex } from './sign-payment.ts'
import type { ChainInfo } from './terms.ts'
import { keepUnanswered } from './unanswered.ts'
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
  const { api = '', person = '' } = form.dataset
  const unanswered = keepUnanswered(`${person} ${api}`, sessionStorage)
  let busy = false
  const pay = (payment: () => Promise<string | null>) => {
    if (busy) return
    busy = true
    form.setAttribute('aria-busy', 'true')
    payment()
      .then((taskId) => {
        if (taskId === null) panel.say('Nothing was paid.')
        else location.assign(`/console/tasks/${encodeURIComponent(taskId)}`)
      })
      .catch((error: unknown) => panel.fail(error instanceof Error ? error.message : String(error)))
      .finally(() => {
        busy = false
        form.removeAttribute('aria-busy')
      })
  }
  form.addEventListener('submit', (event) => {
    if (form.dataset.pay === 'post' && new FormData(form).get('payment') !== 'escrow') return
    event.preventDefault()
    pay(() => payByWallet(purchaseOf(form), panel, unanswered))
  })
  const before = unanswered.get()
  if (before !== null) panel.remind(() => pay(() => goOn(before, csrfOf(form), panel, unanswered)))
}

const csrfOf = (form: HTMLFormElement): string => String(new FormData(form).get('csrf') ?? '')

function purchaseOf(form: HTMLFormElement) {
  const { pay = '', api = '', amount = '', network = '', payee = '', chains = '[]', now = '' } = form.dataset
  const data = new FormData(form)
  const body = BODIES[pay]?.(data) ?? null
  const bounty = (body?.bounty ?? { amount, network }) as { readonly amount: string; readonly network: string }
  return {
    call: { path: api, csrf: csrfOf(form), key: randomHex(16), body },
    problem: pay === 'post' ? missingIn(fieldsOf(data)) : null,
    expected: bounty,
    payee,
    chains: JSON.parse(chains) as readonly ChainInfo[],
    now: () => Number(now) + Date.now() - loadedAt,
  }
}

watchForWallets()
for (const form of document.querySelectorAll<HTMLFormElement>('form[data-pay]')) bind(form)
