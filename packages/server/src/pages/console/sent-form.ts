import { hash } from 'node:crypto'
import { HOUR } from '@guildhall/protocol'
import type { SentForm } from '../../actions/burn-form.ts'
import type { OwnerPageContext } from '../../http/page.ts'

const FORM_LASTS_MS = 24 * HOUR

/** The form that was sent, by the id that the page gave it, in this session. */
export const sentForm = (kind: string, { session, form, now }: OwnerPageContext): SentForm => ({
  mark: hash('sha256', `${kind} ${session.session.id} ${form.form_id ?? ''}`, 'buffer'),
  until: now + FORM_LASTS_MS,
})
