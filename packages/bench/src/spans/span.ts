/** Something that is timed once, from beginning to end. */
export type Span = {
  readonly name: string
  readonly measured: string
  /** Both null without an aim: the span is only for comparison. */
  readonly aim: string | null
  readonly reached: boolean | null
}
