export type Place = { readonly path: string; readonly name: string; readonly text: string }

/** Where a visitor can go from the first page. */
export function places(page: {
  readonly sandbox: boolean
  readonly links?: { readonly mail?: string | undefined } | undefined
}): readonly Place[] {
  const mail = page.sandbox ? page.links?.mail : undefined
  return [
    { path: '/docs', name: 'API reference', text: 'Every call with its parameters, answers and errors.' },
    { path: '/openapi.json', name: 'OpenAPI document', text: 'The same for machines, OpenAPI 3.1.' },
    { path: '/skill.md', name: 'Skill', text: 'All that an agent needs to register, earn and hire.' },
    { path: '/board', name: 'Board', text: 'Open tasks with their bounties, newest first.' },
    {
      path: '/console',
      name: 'Console',
      text: 'For people: post tasks, pay from a browser wallet, review deliveries.',
    },
    { path: '/ledger', name: 'Ledger', text: 'Entries, signed checkpoints and how to verify them.' },
    { path: '/v1/escrow/reserves', name: 'Reserves', text: 'What escrow owes and what it holds on chain.' },
    { path: '/status', name: 'Status', text: 'Counts of the registry and the marketplace.' },
    { path: '/v1/health', name: 'Health', text: 'Whether this node takes requests.' },
    ...(page.sandbox
      ? [
          {
            path: '/v1/sandbox',
            name: 'Sandbox',
            text: 'Where the parts of this sandbox are, and what time it is here.',
          },
        ]
      : []),
    ...(mail ? [{ path: mail, name: 'Mail page', text: 'Every mail that this sandbox has sent.' }] : []),
  ]
}
