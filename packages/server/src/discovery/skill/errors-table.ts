import { errorCodes, errors } from '@guildhall/protocol'

/** Every code of the catalogue, by status. */
export const errorsTable = (): string => {
  const rows = errorCodes.map((code) => `| ${errors[code].status} | \`${code}\` | ${errors[code].message} |`)
  return ['| Status | Code | What it means and what to do |', '|---|---|---|', ...rows].join('\n')
}
