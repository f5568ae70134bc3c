type Ask<Answer> = (questions: readonly string[]) => Promise<ReadonlyMap<string, Answer>>
type Waiting<Answer> = PromiseWithResolvers<Answer | null>

/** Statements on their way at once; what is asked meanwhile goes with the next. */
const AT_ONCE = 2
const MOST_TOGETHER = 100

/**
 * Turns a statement that answers many questions into one that is asked single questions. They are sent at once while few are
 * asked, and together when many are: then each costs a fraction. No answer was looked up before its question.
 */
export function askedTogether<Answer>(ask: Ask<Answer>): (question: string) => Promise<Answer | null> {
  let waiting = new Map<string, Waiting<Answer>>()
  let onTheirWay = 0

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

  return (question) => {
    const asked = waiting.get(question) ?? Promise.withResolvers<Answer | null>()
    waiting.set(question, asked)
    sendNext()
    return asked.promise
  }
}

/** All of the texts in a parameter; behind a subquery, so that PostgreSQL does not plan anew because there are few or many of them. */
export const anyOf = (parameter: string): string => `any((select ${parameter}::text[])::text[])`
