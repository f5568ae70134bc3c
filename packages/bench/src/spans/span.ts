/** Something that is timed once, from beginning to end. */
export type Span = {
  readonly name: string
  readonly measured: string
  readonly aim: string
  readonly reached: boolean
}
