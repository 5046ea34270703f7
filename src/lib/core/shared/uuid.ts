/** The source of a regular expression for a lower-case UUID, without anchors. */
export const UUID_SOURCE = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** Matches a text that is a lower-case UUID. */
export const UUID_PATTERN = new RegExp(`^${UUID_SOURCE}$`)
