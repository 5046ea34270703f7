import type { LinkState } from './schema.ts'

/** The state of a link that works once. A used one stays used, so that a second click is explained. */
export function linkState(
  link: { usedAt: Date | null; canceledAt: Date | null; expiresAt: Date },
  now: Date,
): LinkState {
  if (link.usedAt) return 'used'
  if (link.canceledAt) return 'canceled'
  return link.expiresAt > now ? 'open' : 'expired'
}
