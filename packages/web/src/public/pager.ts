import { type Html, html } from '../html.ts'

/** Links to the newer and older pages, where there are any. */
export const pager = (page: number, hasMore: boolean, at: (page: number) => string): Html | null =>
  page === 1 && !hasMore
    ? null
    : html`<nav class="pager" aria-label="Pages">${page > 1 && html`<a rel="prev" href="${at(page - 1)}">Newer</a>`}${
        hasMore && html`<a rel="next" href="${at(page + 1)}">Older</a>`
      }</nav>`
