/** The source of a regular expression for a lower-case UUID, without anchors. */
export const UUID_SOURCE = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/** Matches a text that is a lower-case UUID. */
export const UUID_PATTERN = new RegExp(`^${UUID_SOURCE}$`)

/** The UUID with these 32 hexadecimal digits. */
export const formatUuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
