export { type ErrorPageOptions, errorPage, notFoundPage } from './error-page.ts'
export { type Counts, type HomePage, homePage } from './home/home-page.ts'
export {
  CONTENT_SECURITY_POLICY,
  createPages,
  htmlHeaders,
  type WebAnswer,
  type WebPage,
  type WebSite,
} from './pages.ts'
export { apiReferencePage } from './reference/api-reference-page.ts'
export { style } from './style/style.ts'
