/** Whoever types a bounty means to pay it: while the task is free, the first way to pay is chosen, for everybody to see. */
export function chooseWay(form: HTMLFormElement): void {
  const bounty = form.querySelector<HTMLInputElement>('input[name=bounty_usdc]')
  const free = form.querySelector<HTMLInputElement>('input[name=payment][value=free]')
  const paid = form.querySelector<HTMLInputElement>('input[name=payment]:not([value=free])')
  if (bounty === null || free === null || paid === null) return
  bounty.addEventListener('input', () => {
    if (free.checked && bounty.value.trim() !== '') paid.checked = true
  })
}
