import { expect, test } from 'vitest'
import { html, link, textOf } from './html.ts'

const hostile = `"><script>alert('x')</script><img src=x onerror=\`1\`>&amp;`

test('text is escaped between tags and inside quoted attributes', () => {
  const page = textOf(html`<p title="${hostile}">${hostile}</p>`)
  expect(page.match(/<\/?[a-z]+/g)).toEqual(['<p', '</p'])
  expect(page.match(/"/g)?.length).toBe(2)
  expect(page).not.toMatch(/['`]/)
  expect(page).toContain('&amp;amp;')
})

test('HTML goes into HTML unescaped, and lists are joined', () => {
  const items = ['a', '<b>', 3, 4n].map((item) => html`<li>${item}</li>`)
  expect(textOf(html`<ul>${items}</ul>`)).toBe('<ul><li>a</li><li>&lt;b&gt;</li><li>3</li><li>4</li></ul>')
})

test('nothing is written for what is absent', () => {
  expect(textOf(html`[${null}${undefined}${false}${[]}${''}]`)).toBe('[]')
  expect(textOf(html``)).toBe('')
})

test('data cannot pass for HTML, whatever its shape', () => {
  const forged = JSON.parse('{"text":"<script>","html":"<script>","Symbol(html)":"<script>"}')
  expect(textOf(html`${forged}`)).not.toContain('<script>')
  expect(textOf(html`${[[hostile]]}`)).not.toContain('<script>')
})

test('a link leads to the web, to a path or to an anchor, and never runs a script', () => {
  for (const address of ['https://a.example/x?y', 'http://127.0.0.1:1', '/docs', '/', '#top']) {
    expect(link(address)).toBe(address)
  }
  for (const address of [
    'javascript:alert(1)',
    ' javascript:x',
    'JAVASCRIPT:x',
    'data:text/html,x',
    '//evil.example',
    '/\\evil',
    '',
  ]) {
    expect(link(address)).toBe('#')
  }
})
