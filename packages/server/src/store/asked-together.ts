type Ask<Answer> = (questions: readonly string[]) => Promise<ReadonlyMap<string, Answer>>
type Waiting<Answer> = PromiseWithResolvers<Answer | null>

/** Statements in flight at most; questions that arrive meanwhile go with the next one. */
const AT_ONCE = 2
const MOST_TOGETHER = 100

/**
 * Turns a statement that answers many questions into a function that takes one. The questions of one turn of the event loop go
 * together, and with those that came while AT_ONCE statements were in flight, which makes each much cheaper. Nothing is cached:
 * every answer is read after its question.
 */
export function askedTogether<Answer>(ask: Ask<Answer>): (question: string) => Promise<Answer | null> {
  let waiting = new Map<string, Waiting<Answer>>()
  let onTheirWay = 0
  let isSending = false

  async function send(asked: ReadonlyMap<string, Waiting<Answer>>): Promise<void> {
    onTheirWay++
    try {
      const answers = await ask([...asked.keys()])
      for (const [question, { resolve }] of asked) resolve(answers.get(question) ?? null)
    } catch (error) {
      for (const { reject } of asked.values()) reject(error)
    } finally {
      onTheirWay--
      sendNext()
    }
  }

  function sendNext(): void {
    if (onTheirWay >= AT_ONCE || waiting.size === 0) return
    const all = [...waiting]
    waiting = new Map(all.slice(MOST_TOGETHER))
    void send(new Map(all.slice(0, MOST_TOGETHER)))
  }

  function sendSoon(): void {
    if (isSending) return
    isSending = true
    setImmediate(() => {
      isSending = false
      sendNext()
    })
  }

  return (question) => {
    const asked = waiting.get(question) ?? Promise.withResolvers<Answer | null>()
    waiting.set(question, asked)
    sendSoon()
    return asked.promise
  }
}

/** Matches any text of an array parameter; in a subquery, so that the plan does not depend on the array's length. */
export const anyOf = (parameter: string): string => `any((select ${parameter}::text[])::text[])`
