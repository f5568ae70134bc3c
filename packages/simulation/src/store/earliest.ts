/** The ids of those that fell due first. */
export const earliest = (due: { readonly id: string; readonly at: number }[], limit: number): readonly string[] =>
  due
    .sort((one, other) => one.at - other.at)
    .slice(0, limit)
    .map(({ id }) => id)
