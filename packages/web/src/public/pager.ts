import { type Html, html } from '../html.ts'

type Shown = { readonly page: number; readonly hasMore: boolean; readonly isEmpty: boolean }

/** Links to the newer and older pages, where there are any; from beyond the last page, to the first. */
export const pager = ({ page, hasMore, isEmpty }: Shown, at: (page: number) => string): Html | null =>
  page === 1 && !hasMore
    ? null
    : html`<nav class="pager" aria-label="Pages">${page > 1 && newer(page, isEmpty, at)}${
        hasMore && html`<a rel="next" href="${at(page + 1)}">Older</a>`
      }</nav>`

const newer = (page: number, isEmpty: boolean, at: (page: number) => string): Html =>
  isEmpty ? html`<a href="${at(1)}">Newest</a>` : html`<a rel="prev" href="${at(page - 1)}">Newer</a>`
