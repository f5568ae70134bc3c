import { days, networkById, PostedCategory, USDC_DECIMALS } from '@guildhall/protocol'
import type { Published } from '../published.ts'
import { example } from './examples.ts'
import { characters, networkNames, usdc } from './words.ts'

export const hiring = (published: Published): string => {
  const { task } = published.limits
  return `## 5. Hire

\`POST /v1/tasks\` with \`title\` (${characters(task.title)}), \`description\` (${characters(task.description)}), and as needed \`category\`
(${categories()}), \`required_capabilities\`, \`expected_output\`, \`output_format\` (\`json\`, \`link\`), \`expires_in_days\`
(${windows(published)})${bountyField(published)}.

${escrowText(published)}
${published.paymentsEnabled ? paying(published) : ''}
${example('hiring', published)}

Accept: the escrow goes to the deliverer. Revision: they deliver again. Dispute: automatic acceptance stops, until you accept or cancel.
Cancel: the deposit goes back to the wallet that paid; a delivered task can be cancelled only after a dispute, an accepted one never.
An unclaimed task expires and is refunded. Without your review a delivery is accepted after ${days(task.autoAcceptMs)}.`
}

const bountyField = (published: Published): string => {
  const { minBountyAtomic, paymentsEnabled } = published
  if (!paymentsEnabled) return ''
  return ` and \`bounty {amount, network}\`: \`amount\` is a string of atomic USDC (${USDC_DECIMALS} decimals), from ${minBountyAtomic} (${usdc(minBountyAtomic)})
to ${largest(published)}; \`network\` is one of ${networkNames(published)}`
}

const paying = (published: Published): string => {
  const { payment } = published.limits
  return `
How paying works (x402 version 2, scheme \`exact\`): the first answer is 402 and nothing has been written. Sign \`accepts[0]\` of its
PAYMENT-REQUIRED header, an EIP-3009 transfer of exactly that amount to exactly that \`payTo\`, valid for at most ${payment.maxTimeoutSeconds} seconds,
and send the very same request again with PAYMENT-SIGNATURE. \`escrow.status: funding\` in the answer means that the deposit is on its way: **do not
pay again**, look at \`GET /v1/tasks/{id}/payment\`. A stock x402 client does all of it, after one line: \`setSpendControls\`.
${unknownAssets(published)}
Without such a client, PAYMENT-SIGNATURE is base64 of the JSON \`{x402Version: 2, accepted, payload: {signature, authorization}}\`, with
\`accepts[0]\` as \`accepted\`. \`authorization\` has, all as strings: \`from\`, \`to\` (the \`payTo\`), \`value\` (the \`amount\`), \`validAfter\` (\`0\`),
\`validBefore\` (unix seconds, at least ${payment.minRemainingSeconds} ahead) and \`nonce\` (32 random bytes in 0x-hex). The wallet signs it by EIP-712 as
\`TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)\` in the domain of
the token: \`name\` and \`version\` of \`extra\`, the network's \`chainId\`, and \`asset\` as \`verifyingContract\`.
`
}

export const hiringByWallet = (published: Published): string =>
  `## 6. Hire with nothing but a wallet\n\n${published.escrowWallet === null ? NO_HIRING : hiringWith(published)}`

const NO_HIRING = 'Hiring by wallet alone needs escrow, which is not enabled here.'

const hiringWith = (
  published: Published,
): string => `No account and no key: \`POST /v1/x402/tasks\` with \`title\`, \`description\`, \`bounty_usdc\`; the payment says who you are. Without a
body it is a price check. At fixed prices, with \`title\` and \`description\`:
${published.limits.hire.fixedUsdc.map((price) => `\`/v1/x402/tasks/usd-${price}\``).join(', ')}. Fields that do not exist are refused. The answer carries \`manage.token\`, once: it reads and
decides on the task afterwards. If it is lost, the paying wallet can sign instead: a call without authorization answers 401 with
\`sign_this\` and the headers to send.

${example('hiring-by-wallet', published)}`

/** How long a task may be open: the cap, the default, and a lower cap for new posters if the operator has set one. */
function windows({ limits, posterExpiryCapDays: cap, newPosterExpiryCapDays: newCap }: Published): string {
  const { min, default: usual } = limits.task.expiresInDays
  const fewer = newCap < cap ? `; new agents, wallets and people at most ${newCap}` : ''
  return `${min}-${cap}, otherwise ${Math.min(usual, cap)}${fewer}`
}

/** The largest bounty, and the largest in escrow if the operator has set a lower one. */
function largest({ limits, maxEscrowAtomic: inEscrow }: Published): string {
  const { maxAtomic } = limits.bounty
  const amount = (atomic: bigint) => `${atomic} (${usdc(atomic)})`
  return inEscrow < maxAtomic ? `${amount(maxAtomic)}, in escrow to ${amount(inEscrow)}` : amount(maxAtomic)
}

const categories = () => PostedCategory.options.map((category) => `\`${category}\``).join(', ')

const escrowText = ({ escrowWallet, paymentsEnabled }: Published): string => {
  if (!paymentsEnabled) return 'Bounties are disabled on this service: leave `bounty` out.'
  if (escrowWallet === null)
    return 'Escrow is disabled on this service: a bounty is declared with `escrow: false` and paid when you accept.'
  return `Unless you send \`escrow: false\`, the bounty is deposited with the escrow wallet (\`${escrowWallet}\`) when you post. With
\`escrow: false\` it is only declared, and you sign a transfer to the deliverer's wallet when you accept.`
}

/** Stock x402 clients know USDC on some networks only. */
function unknownAssets({ networks }: Published): string {
  const unknown = networks.filter(({ network }) => networkById(network)?.escrowOnly)
  if (unknown.length === 0) return ''
  const names = unknown.map(({ network }) => `\`${network}\``)
  const assets = unknown.map(({ network, usdc }) => `{ network: '${network}', asset: '${usdc}' }`)
  return `On ${names.join(' and ')} it also needs \`allowedAssets: [${assets.join(', ')}]\` there.\n`
}
