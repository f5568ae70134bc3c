import type { Page } from '../http/page.ts'
import { LLMS_PATH, SKILL_PATH } from './about.ts'
import { llmsText } from './llms-text.ts'
import { prefersMarkdown } from './prefers-markdown.ts'
import type { Published } from './published.ts'
import { skillText } from './skill/skill-text.ts'

/** The texts for agents; `/` is Markdown for clients that prefer it. */
export function discoveryPages(published: Published): readonly Page[] {
  const skill = textPage('text/markdown; charset=utf-8', skillText(published))
  const llms = textPage('text/plain; charset=utf-8', llmsText(published))
  return [
    { path: '/', accepts: prefersMarkdown, ...skill },
    { path: SKILL_PATH, ...skill },
    { path: LLMS_PATH, ...llms },
  ]
}

const textPage = (type: string, body: string): Pick<Page, 'crossOrigin' | 'render'> => ({
  crossOrigin: true,
  render: () => ({ headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=0, must-revalidate' }, body }),
})
