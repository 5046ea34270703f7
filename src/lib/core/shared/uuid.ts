/** The source of a regular expression for a UUID in lower case, without anchors. */
export const UUID_SOURCE = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** A text that is a UUID in lower case and nothing else. */
export const UUID_PATTERN = new RegExp(`^${UUID_SOURCE}$`)
