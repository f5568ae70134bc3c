import { baseCss } from './base.ts'
import { consoleCss } from './console.ts'
import { formsCss } from './forms.ts'
import { homeCss } from './home.ts'
import { paletteCss } from './palette.ts'
import { printCss } from './print.ts'
import { publicCss } from './public.ts'
import { referenceCss } from './reference.ts'
import { testingCss } from './testing.ts'

/** The one stylesheet: light and dark, phone, desktop and paper. */
export const style = [
  paletteCss,
  baseCss,
  formsCss,
  homeCss,
  referenceCss,
  consoleCss,
  publicCss,
  testingCss,
  printCss,
].join('')
