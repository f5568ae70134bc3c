import type { EscrowStatus, IdentityLinkStatus, MessageStatus, PaymentStatus } from '@guildhall/protocol'
import { escrowLifecycle } from '../domain/escrow/lifecycle.ts'
import { escrowPayments } from '../domain/escrow/payment-of.ts'
import { identityLinkLifecycle } from '../domain/identity-link/lifecycle.ts'
import type { Lifecycle, Move } from '../domain/lifecycle.ts'
import { messageLifecycle } from '../domain/message/lifecycle.ts'
import { paymentLifecycle } from '../domain/payment/lifecycle.ts'
import { taskLifecycle } from '../domain/task/lifecycle.ts'
import { testingLifecycle } from '../domain/testing/lifecycle.ts'

/** docs/states.md: the lifecycle tables as the code follows them (specification, section 3). */
export function statesPage(): string {
  return [
    '# States and transitions',
    '',
    'Printed from the lifecycle tables in `packages/server/src/domain`; do not edit.',
    '',
    '## Task',
    '',
    'Conditions are checked in this order; the first that does not hold decides the refusal. Everything under “also” is written in the',
    'transaction of the move.',
    '',
    '| From | Trigger | Conditions | To | Also |',
    '|---|---|---|---|---|',
    ...movesOf(taskLifecycle),
    '',
    '## Escrow',
    '',
    '`proven`, `dead` and `undone` are what the chain shows of the transfer.',
    '',
    ...pairs<EscrowStatus>(escrowLifecycle),
    '',
    'The payment status of the task follows from it.',
    '',
    '| Escrow | Payment status |',
    '|---|---|',
    ...Object.entries(escrowPayments).map(([escrow, payment]) => `| ${escrow} | ${payment} |`),
    '',
    '## Payment signed at acceptance',
    '',
    'While its authorization is valid, `failed` is temporary.',
    '',
    ...pairs<PaymentStatus>(paymentLifecycle),
    '',
    '## Message',
    '',
    'A message is `shown` when its recipient lists it or its event is pushed to them, and `fetched` when they ask for it.',
    '',
    ...pairs<MessageStatus>(messageLifecycle),
    '',
    '## Testing request',
    '',
    'Operators approve and reject; the house posts the runs as tasks of its own, and each of those follows the first table.',
    '',
    '| From | Trigger | Conditions | To | Also |',
    '|---|---|---|---|---|',
    ...movesOf(testingLifecycle),
    '',
    '## Identity link',
    '',
    'A person ends a link by consenting or refusing in the browser in which they signed in. `identity_taken`: the person is already linked',
    'to another agent. `identity_untrue`: the provider’s token is not valid.',
    '',
    ...pairs<IdentityLinkStatus>(identityLinkLifecycle),
    '',
  ].join('\n')
}

function movesOf<S extends string, T extends string, F, C, E>(table: Lifecycle<S, T, F, C, E>): readonly string[] {
  return (Object.keys(table.rows) as S[]).flatMap((from) =>
    (Object.keys(table.rows[from]) as T[]).flatMap((trigger) => {
      const move: Move<S, F, C, E> | undefined = table.rows[from][trigger]
      if (!move) return []
      const conditions = [...(table.triggers[trigger].by ?? []), ...(move.when ?? [])].map(({ name }) => name)
      const also = (move.also ?? []).map(({ name }) => name)
      return [`| ${from} | ${trigger} | ${conditions.join('; ')} | ${move.to} | ${also.join('; ')} |`]
    }),
  )
}

const pairs = <S extends string>(table: Readonly<Record<S, Readonly<Record<string, S>>>>): readonly string[] => [
  '| From | Trigger | To |',
  '|---|---|---|',
  ...Object.entries<Readonly<Record<string, S>>>(table).flatMap(([from, triggers]) =>
    Object.entries(triggers).map(([trigger, to]) => `| ${from} | ${trigger} | ${to} |`),
  ),
]
