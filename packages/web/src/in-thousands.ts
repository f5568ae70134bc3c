/** `20414.50` as `20,414.50`: grouped as text, since an amount may not pass through a float. */
export const inThousands = (amount: number | string): string => {
  const [whole = '', ...fraction] = String(amount).split('.')
  return [whole.replace(/\B(?=(\d{3})+$)/g, ','), ...fraction].join('.')
}
