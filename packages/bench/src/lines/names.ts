/** What the lines are called, in the table and where they are compared. */
export const names = {
  plain: 'HTTP',
  select: 'HTTP + SELECT',
  verify: 'HTTP + Ed25519 verify',
  transaction: 'HTTP + transaction',
  health: 'health',
  taskById: 'task by id',
  list: (size: number) => `list of 20 of ${size.toLocaleString('en')}`,
  create: 'create (free)',
  claim: 'claim',
  deliver: 'deliver',
  paidPost: 'paid post',
  profile: 'profile',
  search: 'search',
  chainPage: 'chain page of 100',
  eventPoll: 'event poll (signed)',
  report: 'verification report',
} as const
