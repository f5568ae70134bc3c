/** The one client of the sandbox's provider. */
export const CLIENT_ID = 'guildhall'
