/** Lengths of time in milliseconds. */
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The length of a day in minutes. */
export const DAY_MINUTES = 24 * 60

/** Lengths of time in seconds. */
export const HOUR_SECONDS = 3600
export const DAY_SECONDS = 24 * HOUR_SECONDS
export const YEAR_SECONDS = 365 * DAY_SECONDS
