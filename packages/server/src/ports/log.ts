type Fields = Readonly<Record<string, unknown>>

export type Log = {
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  /** Something that an operator has to look at. */
  alarm(message: string, fields?: Fields): void
}
