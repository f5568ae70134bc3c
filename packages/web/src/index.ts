export { accountPage } from './console/account-page.ts'
export { agentsPage } from './console/agents-page.ts'
export { newTaskPage } from './console/new-task-page.ts'
export { overviewPage } from './console/overview-page.ts'
export { checkMailPage, confirmPage, deadLinkPage, signInPage } from './console/sign-in-pages.ts'
export { taskPage } from './console/task-page.ts'
export { time } from './console/time.ts'
export type { PayNetwork } from './console/views.ts'
export { type ErrorPageOptions, errorPage, notFoundPage, refusalPage } from './error-page.ts'
export { csrfField, postForm } from './forms.ts'
export { type Counts, type HomePage, homePage } from './home/home-page.ts'
export { type Html, type HtmlValue, html, link, textOf } from './html.ts'
export { consentPage, identityResultPage, refusedAtProviderPage } from './identity/identity-pages.ts'
export { type Layout, layout, type SignedIn } from './layout.ts'
export {
  contentSecurityPolicy,
  htmlHeaders,
  type PageNeeds,
  privateHeaders,
  privatePageHeaders,
} from './page-headers.ts'
export {
  createPages,
  type WebAnswer,
  type WebPage,
  type WebSite,
} from './pages.ts'
export { BOARD_LISTS, type BoardStatus, boardPage } from './public/board-page.ts'
export { ledgerPage } from './public/ledger-page.ts'
export { publicTaskPage } from './public/public-task-page.ts'
export { statusPage } from './public/status-page.ts'
export { apiReferencePage } from './reference/api-reference-page.ts'
export { style } from './style/style.ts'
export { newTestPage } from './testing/new-test-page.ts'
export { printedReportPage, testRequestPage } from './testing/test-request-page.ts'
export { testingListPage, testingSection } from './testing/testing-list-page.ts'
