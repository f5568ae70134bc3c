import PostalMime from 'postal-mime'

/** A mail as a person reads it. The recipients are those of the envelope: the ones it was really sent to. */
export type Mail = {
  readonly id: number
  readonly from: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  /** The mail's own date as ISO 8601, or the header as it stands when it is not a date. */
  readonly date: string | null
}

/** A mail as it came in. */
export type ReceivedMail = {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: Buffer
}

/** Reads a received mail; one that cannot be parsed is shown as it came. */
export async function readMail(id: number, { from, to, raw }: ReceivedMail): Promise<Mail> {
  try {
    const { subject, text, html, date } = await PostalMime.parse(raw)
    return { id, from, to, subject: subject ?? '', text: text ?? html ?? '', date: date ?? null }
  } catch {
    return { id, from, to, subject: '', text: raw.toString('utf8'), date: null }
  }
}
