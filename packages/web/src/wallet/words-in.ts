type Body = Readonly<Record<string, unknown>>

/** What this page cannot do by itself. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  auth_required: 'You are not signed in any more. Sign in in another tab, then load this page again.',
  csrf_failed: 'This page is older than your session. Load it again.',
}

export const isElsewhere = ({ error }: Body): boolean => ELSEWHERE[String(error)] !== undefined

/** Why a call was refused, in words for whoever reads the page; the API's are for programs. */
export function wordsIn(body: Body): string {
  const { error, message, reason, issues, minimum_usdc, max_days } = body
  const elsewhere = ELSEWHERE[String(error)]
  if (elsewhere !== undefined) return elsewhere
  if (error === 'bounty_below_minimum') return `The bounty is below the minimum of ${minimum_usdc} USDC.`
  if (error === 'expiry_window_not_allowed') return `You can keep a task open for at most ${max_days} days.`
  const [issue] = (issues ?? []) as readonly { readonly path: string; readonly message: string }[]
  if (issue) return `${fieldIn(issue.path)}: ${issue.message}`
  const why = typeof reason === 'string' && reason !== error ? ` (${reason})` : ''
  return `${String(message ?? 'The service gave no answer that can be understood.')}${why}`
}

/** The field of the form, of which the path may name a part: `required_capabilities.0` is in “Required capabilities”. */
function fieldIn(path: string): string {
  const [field = ''] = path.replaceAll('_', ' ').split('.')
  return `${field.charAt(0).toUpperCase()}${field.slice(1)}`
}
