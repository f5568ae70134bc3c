/** Runs jobs strictly one after another; a failed job does not stop the next. */
export function oneAtATime(): <T>(job: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (job) => {
    const result = last.then(job)
    last = result.catch(() => undefined)
    return result
  }
}
