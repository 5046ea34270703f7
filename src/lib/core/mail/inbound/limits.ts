/** The largest email that is received, with attachments in base 64. */
export const MAX_EMAIL_BYTES = 20 * 1024 * 1024
/** The endpoint to which a mail server posts received replies. */
export const REPLIES_PATH = '/v1/replies'
/** The nesting of parts of an email; deeper ones are refused. */
export const MAX_NESTING = 10
/** All header fields of an email and of its parts, in bytes. */
export const MAX_HEADER_BYTES = 256 * 1024
