/**
 * Makes `Date.now()` and `new Date()` of this process run by an offset, because the official x402 package reads them.
 * Gives the setter of the offset.
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
