import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import type { LiveStream } from '#lib/workshop/session/event-schema.ts'

/** The acts of the stage. */
export const STAGE_ACTS = [
  'publish',
  'takeOff',
  'raiseHand',
  'invite',
  'answer',
  'caption',
  'listen',
  'seeHands',
] as const
export type StageAct = (typeof STAGE_ACTS)[number]

/** Where somebody stands with the stage: asked onto it, on it, or neither. */
export type StagePlace = 'off' | 'invited' | 'on'

export interface StageParticipant {
  role: RoomRole
  place: StagePlace
}

/** Who may do what on the stage. `listen`: have one's own sound written down as captions. */
export function canActOnStage({ role, place }: StageParticipant, act: StageAct): Verdict {
  switch (act) {
    case 'publish':
      if (hasRight(role, 'present')) return allow('presents')
      return place === 'on' ? allow('invited') : deny('not_on_stage')
    case 'answer':
      return place === 'invited' ? allow('invited') : deny('not_invited')
    case 'raiseHand':
      return role === 'viewer' ? allow('viewer') : deny('staff_speak_anyway')
    case 'listen':
      return hasRight(role, 'present') ? allow('presents') : deny('not_a_presenter')
    case 'takeOff':
    case 'invite':
    case 'caption':
    case 'seeHands':
      return hasRight(role, 'moderate') ? allow('moderates') : deny('not_a_moderator')
  }
}

/**
 * When a token of an encoder is said to have been issued, in seconds: a little after its key was made, so that the end of
 * what an older key published does not end this one too.
 */
export const tokenIssuedSeconds = (keyMadeAt: Date): number => Math.floor(keyMadeAt.getTime() / 1000) + 5

/** What is on air after somebody began, or switched, a stream. */
export function withStream(onAir: readonly LiveStream[], stream: LiveStream): LiveStream[] {
  const place = onAir.findIndex((live) => live.stream === stream.stream)
  return place < 0 ? [...onAir, stream] : onAir.with(place, stream)
}

/** What is on air without somebody's streams, or without one of them. The same list when nothing changes. */
export function withoutStreams(
  onAir: readonly LiveStream[],
  personId: string,
  kind: LiveStream['kind'] | null = null,
): readonly LiveStream[] {
  const left = onAir.filter((live) => live.personId !== personId || (kind !== null && live.kind !== kind))
  return left.length === onAir.length ? onAir : left
}
