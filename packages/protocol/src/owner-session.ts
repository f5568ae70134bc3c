/** A signed-in person's session cookie: for this host only, over a secure connection, not readable by scripts. */
export const SESSION_COOKIE = '__Host-guildhall_session'

/** Carries a session's CSRF token, as a header or as a hidden field of a form. */
export const CSRF_HEADER = 'X-CSRF-Token'
export const CSRF_FIELD = 'csrf'
