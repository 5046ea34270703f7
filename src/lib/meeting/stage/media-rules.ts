import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'

export interface StreamPerson {
  role: RoomRole
  /** Invited onto the stage and there. */
  staged: boolean
  /** Banned, blocked in the school, or waiting in the queue for a seat. */
  barred: boolean
}

/**
 * Who may publish and play the streams of a session in a phase: before the start staff and people on the stage alone, while
 * it is live everybody with a seat, after the end nobody.
 */
export function canUseStreams(
  { role, staged, barred }: StreamPerson,
  phase: RoomState['phase'],
  direction: 'publish' | 'play',
): Verdict {
  if (barred) return deny('barred')
  if (phase === 'finished') return deny('finished')
  if (direction === 'publish') return hasRight(role, 'present') || staged ? allow('presents') : deny('not_on_stage')
  if (phase === 'live') return allow('live')
  return hasRight(role, 'moderate') || staged ? allow('backstage') : deny('not_begun')
}
