import { clearLine, cursorTo } from 'node:readline'
import { styleText } from 'node:util'
import { printable } from '../printable.ts'

type Style = Parameters<typeof styleText>[0]
type Output = NodeJS.WritableStream & { readonly isTTY?: boolean }

/** Tells the story line by line, and counts the failed checks. */
export type Narrator = {
  title(text: string): void
  step(text: string): void
  /** A name and what it is: `deposit  0x…`. */
  fact(name: string, value: string): void
  say(text: string): void
  check(holds: boolean, sentence: string): void
  /** The current progress; only a terminal shows it, and the next line replaces it. */
  progress(text: string): void
  failedChecks(): number
}

const NAME_WIDTH = 9

/** Colours only where the stream is a terminal that wants them. */
export function createNarrator(output: Output): Narrator {
  const paint = (style: Style, text: string) => (output.isTTY ? styleText(style, text, { stream: output }) : text)
  let steps = 0
  let failed = 0
  let showsProgress = false

  // Much of what is told comes from a service that is being checked.
  const said = (text: string) => printable(text).replaceAll('\n', '\uFFFD')

  const line = (text: string) => {
    if (showsProgress) eraseProgress(output)
    showsProgress = false
    output.write(`${text}\n`)
  }

  return {
    title: (text) => line(paint('bold', printable(text))),
    step(text) {
      steps += 1
      line(`\n${paint('bold', `${steps}  ${said(text)}`)}`)
    },
    fact: (name, value) => line(`   ${name.padEnd(NAME_WIDTH)} ${paint('dim', said(value))}`),
    say: (text) => line(text === '' ? '' : `   ${said(text)}`),
    check(holds, sentence) {
      if (!holds) failed += 1
      line(`   ${holds ? paint('green', '✓') : paint('red', '✗')} ${said(sentence)}`)
    },
    progress(text) {
      if (!output.isTTY) return
      eraseProgress(output)
      output.write(`   ${text}`)
      showsProgress = true
    },
    failedChecks: () => failed,
  }
}

function eraseProgress(output: Output): void {
  cursorTo(output, 0)
  clearLine(output, 0)
}
