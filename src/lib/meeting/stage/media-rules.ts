import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'

export interface StreamParticipant {
  role: RoomRole
  /** Invited onto the stage and there. */
  isOnStage: boolean
  /** Banned, blocked in the school, or waiting in the queue for a seat. */
  isBarred: boolean
}

/**
 * Who may publish and play the streams of a session in a phase: before the start staff and people on the stage alone, while
 * it is live everybody with a seat, after the end nobody.
 */
export function canUseStreams(
  { role, isOnStage, isBarred }: StreamParticipant,
  phase: RoomState['phase'],
  direction: 'publish' | 'play',
): Verdict {
  if (isBarred) return deny('barred')
  if (phase === 'finished') return deny('finished')
  if (direction === 'publish') return hasRight(role, 'present') || isOnStage ? allow('presents') : deny('not_on_stage')
  if (phase === 'live') return allow('live')
  return hasRight(role, 'moderate') || isOnStage ? allow('backstage') : deny('not_begun')
}
