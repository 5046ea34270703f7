import type { LinkState } from './schema.ts'

/** The state of a one-time link. `used` has precedence, so that opening the link again shows the reason. */
export function linkState(
  link: { usedAt: Date | null; canceledAt: Date | null; expiresAt: Date },
  now: Date,
): LinkState {
  if (link.usedAt) return 'used'
  if (link.canceledAt) return 'canceled'
  return link.expiresAt > now ? 'open' : 'expired'
}
