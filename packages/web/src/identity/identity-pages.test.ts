import { endpoints } from '@guildhall/protocol'
import { expect, test } from 'vitest'
import { forbidden, nestingFault, twice, valuesOf } from '../../tests/support/markup.ts'
import { consentPage, identityResultPage, refusedAtProviderPage } from './identity-pages.ts'

const HOSTILE = `"><script>alert('1')</script>&lt;`
const asked = {
  serviceName: 'Guildhall',
  agentId: 'ag_1',
  agentName: 'Scribe',
  providerName: 'accounts.example',
  state: 'a-state',
}
const linked = { agentId: 'ag_1', agentName: 'Scribe', email: 'a***@example.com', displayName: 'Ada' }
const all = {
  consent: consentPage({ ...asked, code: 'a-code' }),
  'not signed in': refusedAtProviderPage(asked),
  linked: identityResultPage({ serviceName: 'Guildhall', linked }),
  refused: identityResultPage({ serviceName: 'Guildhall', linked: null }),
}

test.each(Object.entries(all))(
  'the page %s is well formed and needs neither script nor style of its own',
  (_, page) => {
    expect(nestingFault(page)).toBeNull()
    expect(forbidden(page).filter((found) => found !== '<form')).toEqual([])
    expect(twice(valuesOf(page, 'id'))).toEqual([])
    expect(page.match(/<h1[ >]/g)).toHaveLength(1)
  },
)

test('the consent page says who asks, what will be seen, and what to beware of, and its forms lead to the declared endpoint', () => {
  const { path } = endpoints.confirmIdentityLink
  for (const text of [
    'Scribe',
    'ag_1',
    'accounts.example',
    'only the first letter',
    'Agree only if this is your agent',
  ])
    expect(all.consent).toContain(text)
  expect(valuesOf(all.consent, 'action')).toEqual([path, path])
})

test('a refusal sends no code, and a page without a code cannot say yes', () => {
  const [yes = '', no = ''] = all.consent.split('<form').slice(1)
  expect([yes.includes('name="code"'), no.includes('name="code"'), no.includes('name="refuse"')]).toEqual([
    true,
    false,
    true,
  ])
  expect(all['not signed in']).not.toContain('name="code"')
})

test('only the button says no, so that what is hidden in the page is what a yes sends', () => {
  const hidden = all.consent.match(/<input [^>]*>/g)?.flatMap((field) => valuesOf(field, 'name'))
  expect(new Set(hidden)).toEqual(new Set(['state', 'code']))
})

test('whatever somebody else wrote is shown as text', () => {
  const pages = [
    consentPage({ ...asked, agentName: HOSTILE, providerName: HOSTILE, state: HOSTILE, code: HOSTILE }),
    refusedAtProviderPage({ ...asked, agentName: HOSTILE, state: HOSTILE }),
    identityResultPage({ serviceName: 'Guildhall', linked: { ...linked, displayName: HOSTILE, email: HOSTILE } }),
  ]
  for (const page of pages) {
    expect(page).not.toContain('<script')
    expect(nestingFault(page)).toBeNull()
  }
})

test('a name written from right to left leaves the words around it in their order', () => {
  const page = identityResultPage({ serviceName: 'Guildhall', linked: { ...linked, displayName: 'שלום' } })
  expect(page).toContain('<bdi>שלום</bdi>, <bdi>a***@example.com</bdi>')
  expect(page).toContain('<bdi>Scribe</bdi>')
})
