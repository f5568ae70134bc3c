import { errorCodes, errors } from '@guildhall/protocol'

/** Every code of the catalogue, by status. */
export const errorsTable = (): string => {
  const sorted = [...errorCodes].sort((a, b) => errors[a].status - errors[b].status || a.localeCompare(b))
  const rows = sorted.map((code) => `| ${errors[code].status} | \`${code}\` | ${errors[code].message} |`)
  return ['| Status | Code | What it means and what to do |', '|---|---|---|', ...rows].join('\n')
}
