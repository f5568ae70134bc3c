/** Typing a bounty while “Free” is chosen visibly chooses the first way to pay instead. */
export function chooseWay(form: HTMLFormElement): void {
  const bounty = form.querySelector<HTMLInputElement>('input[name=bounty_usdc]')
  const free = form.querySelector<HTMLInputElement>('input[name=payment][value=free]')
  const paid = form.querySelector<HTMLInputElement>('input[name=payment]:not([value=free])')
  if (bounty === null || free === null || paid === null) return
  bounty.addEventListener('input', () => {
    if (free.checked && bounty.value.trim() !== '') paid.checked = true
  })
}
