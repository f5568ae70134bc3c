import { type ChainInfo, type Terms, usdcOf } from './terms.ts'
import type { Wallet } from './wallets.ts'

/** Where a form shows what is to be paid, who can pay it, and how far it has come. */
export type PayPanel = {
  say(text: string): void
  fail(text: string): void
  /** Shows the terms; resolves to the wallet that the person chose, or null if they choose not to pay. */
  offer(terms: Terms, chain: ChainInfo | null, payee: string, wallets: readonly Wallet[]): Promise<Wallet | null>
  /** Offers to go on with a payment that was signed before the page was loaded. */
  remind(goOn: () => void): void
  close(): void
}

export function payPanel(place: HTMLElement): PayPanel {
  const status = element('p', { role: 'status', class: 'progress' })
  const alert = element('p', { role: 'alert', class: 'problem' })
  const terms = element('div', { class: 'terms' })
  place.replaceChildren(terms, status, alert)
  const show = (said: string, failed: string) => {
    status.textContent = said
    alert.textContent = failed
  }
  return {
    say: (text) => show(text, ''),
    fail(text) {
      terms.replaceChildren()
      show('', text)
    },
    offer: (asked, chain, payee, wallets) =>
      new Promise((choose) => {
        const facts = element('dl', {}, [
          ...fact('You pay', `${usdcOf(asked.amount)} USDC`),
          ...fact('On', chain?.name ?? asked.network),
          ...fact('To', `${payee}: ${asked.payTo}`),
        ])
        const choices = wallets.map((wallet) => button(`Pay with ${wallet.name}`, 'pay', () => choose(wallet)))
        const heading = element('h3', { tabindex: '-1' }, ['Check and pay'])
        const buttons = element('div', { class: 'choices' }, [
          ...choices,
          button('Do not pay', 'quiet', () => choose(null)),
        ])
        terms.replaceChildren(heading, facts, buttons)
        show('Your wallet will ask you to sign. It costs you no gas.', '')
        heading.focus()
      }),
    remind(goOn) {
      terms.replaceChildren(button('Go on with the payment', 'pay', goOn))
      show('', 'You signed a payment here, and its answer did not arrive. Going on with it pays nothing twice.')
    },
    close: () => terms.replaceChildren(),
  }
}

const fact = (name: string, value: string): readonly Node[] => [element('dt', {}, [name]), element('dd', {}, [value])]

function button(text: string, kind: string, press: () => void): HTMLElement {
  const made = element('button', { type: 'button', class: kind }, [text])
  made.addEventListener('click', press)
  return made
}

/** Texts become text nodes: nothing that a service or a wallet says is ever read as HTML. */
function element(
  tag: string,
  attributes: Readonly<Record<string, string>> = {},
  children: readonly (Node | string)[] = [],
): HTMLElement {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}
