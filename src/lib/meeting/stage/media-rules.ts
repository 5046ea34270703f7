import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'

export interface StreamParticipant {
  role: RoomRole
  /** Accepted an invitation to the stage. */
  isOnStage: boolean
  /** Banned, blocked in the tenant, or in the waiting queue. */
  isBarred: boolean
}

/** Whether a participant may get the slides in a phase: before the start staff and stage guests, then everybody. */
export function canGetSlides({ role, isOnStage, isBarred }: StreamParticipant, phase: RoomState['phase']): Verdict {
  if (isBarred) return deny('barred')
  if (phase !== 'waiting') return allow('begun')
  return hasRight(role, 'moderate') || isOnStage ? allow('backstage') : deny('not_begun')
}

/**
 * Whether a participant may publish or play streams in a phase: before the start staff and stage guests, live everybody
 * with a seat, after the end nobody.
 */
export function canUseStreams(
  { role, isOnStage, isBarred }: StreamParticipant,
  phase: RoomState['phase'],
  direction: 'publish' | 'play',
): Verdict {
  if (isBarred) return deny('barred')
  if (phase === 'finished') return deny('finished')
  if (direction === 'publish') return hasRight(role, 'publish') || isOnStage ? allow('presents') : deny('not_on_stage')
  if (phase === 'live') return allow('live')
  return hasRight(role, 'moderate') || isOnStage ? allow('backstage') : deny('not_begun')
}
