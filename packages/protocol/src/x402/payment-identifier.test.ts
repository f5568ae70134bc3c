import { describe, expect, test } from 'vitest'
import { paymentIdentifierExtension, paymentIdentifierOf } from './payment-identifier.ts'

const idOf = (extension: unknown) => paymentIdentifierOf({ extensions: { 'payment-identifier': extension } })

describe('the id in a payment', () => {
  test.each(['x'.repeat(16), 'x'.repeat(128), 'pay_7d5d747be160e280-A'])('is read: %s', (id) => {
    expect(idOf({ info: { required: false, id } })).toBe(id)
  })

  test.each(['x'.repeat(15), 'x'.repeat(129), 'pay_7d5d747be160.280', 'pay_7d5d747be160 280', 16, {}, true])(
    'is malformed: %j',
    (id) => {
      expect(idOf({ info: { id } })).toBe('malformed')
    },
  )

  test.each([
    undefined,
    null,
    'text',
    [],
    {},
    { info: null },
    { info: {} },
    paymentIdentifierExtension['payment-identifier'],
  ])('is missing in %j', (extension) => {
    expect(idOf(extension)).toBe(null)
  })

  test('is not looked for in what every object has', () => {
    expect(paymentIdentifierOf({ extensions: {} })).toBe(null)
  })
})
