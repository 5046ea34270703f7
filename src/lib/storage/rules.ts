import { hasRole, type Role } from '#lib/core/shared/role.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'

/** Whether a person may manage the files of the tenant. */
export function canManageFiles(person: { roles: readonly Role[] }): Verdict {
  return hasRole(person, ['OWNER', 'DIRECTOR', 'EXPERT']) ? allow('manages_content') : deny('no_storage_role')
}

/**
 * A video whose saved position is within this many seconds, or this share of the duration, of its end starts from the
 * beginning.
 */
const NEAR_END = { seconds: 5, share: 0.05 }

/** The position to resume from, in seconds. */
export function resumePosition(seconds: number, duration: number | null): number {
  return duration !== null && seconds >= duration - Math.min(NEAR_END.seconds, duration * NEAR_END.share) ? 0 : seconds
}

/** How far captions may extend past the end of a video, or end before it, in seconds or as a share of it. */
const AFTER_END = { seconds: 5, share: 0.02 }
const BEFORE_END = { seconds: 30, share: 0.25 }

/** Whether captions probably do not belong to a video of this duration; both in seconds. */
export function hasLengthMismatch(captionsEnd: number, duration: number): boolean {
  const difference = captionsEnd - duration
  const { seconds, share } = difference > 0 ? AFTER_END : BEFORE_END
  return Math.abs(difference) > Math.max(seconds, duration * share)
}
