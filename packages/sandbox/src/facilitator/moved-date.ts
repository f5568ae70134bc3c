/**
 * Shifts `Date.now()` and `new Date()` of this thread by an offset, because packages that we do not control read them. Returns the
 * setter of the offset.
 */
export function moveDate(): (offsetMs: number) => void {
  const realNow = Date.now
  let offset = 0
  Date.now = () => realNow() + offset
  globalThis.Date = new Proxy(Date, {
    construct: (target, args, newTarget) =>
      Reflect.construct(target, args.length === 0 ? [target.now()] : args, newTarget),
  })
  return (offsetMs) => {
    offset = offsetMs
  }
}
