/** The cookie of a signed-in person: for this host alone, over a secure connection, out of reach of scripts. */
export const SESSION_COOKIE = '__Host-guildhall_session'

/** What a change in a session carries, as a header or as a hidden field of a form. */
export const CSRF_HEADER = 'X-CSRF-Token'
export const CSRF_FIELD = 'csrf'
