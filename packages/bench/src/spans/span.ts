/** Something that is timed once, from beginning to end. */
export type Span = {
  readonly name: string
  readonly measured: string
  /** Both null where there is nothing to reach: it stands beside something else. */
  readonly aim: string | null
  readonly reached: boolean | null
}
