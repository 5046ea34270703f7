import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import { allow, deny, type Verdict } from '#lib/core/shared/verdict.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import type { LiveStream } from '#lib/workshop/session/event-schema.ts'

/** Actions on the stage. */
export const STAGE_ACTIONS = [
  'publish',
  'takeOff',
  'raiseHand',
  'invite',
  'answer',
  'caption',
  'listen',
  'seeHands',
] as const
export type StageAction = (typeof STAGE_ACTIONS)[number]

/** A participant's relation to the stage: invited, on it, or neither. */
export type StagePlace = 'off' | 'invited' | 'on'

export interface StageParticipant {
  role: RoomRole
  place: StagePlace
}

/**
 * Whether a participant may perform an action on the stage. `listen`: have their own speech transcribed as captions.
 */
export function canActOnStage({ role, place }: StageParticipant, action: StageAction): Verdict {
  switch (action) {
    case 'publish':
      if (hasRight(role, 'publish')) return allow('presents')
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
 * Issue time in seconds of the token of a new encoder key: shortly after now, so that disconnecting the previous key
 * does not affect it, and after that of the previous key, so that two keys of one second differ.
 */
export const encoderKeyIssuedAt = (now: Date, previous: number | null): number =>
  Math.max(Math.floor(now.getTime() / 1000) + 5, (previous ?? 0) + 1)

/** Live streams after a stream was started or switched. */
export function withStream(onAir: readonly LiveStream[], stream: LiveStream): LiveStream[] {
  const place = onAir.findIndex((live) => live.stream === stream.stream)
  return place < 0 ? [...onAir, stream] : onAir.with(place, stream)
}

/** Live streams without those of a participant, or without one kind of them. The same list when nothing changes. */
export function withoutStreams(
  onAir: readonly LiveStream[],
  personId: string,
  kind: LiveStream['kind'] | null = null,
): readonly LiveStream[] {
  const left = onAir.filter((live) => live.personId !== personId || (kind !== null && live.kind !== kind))
  return left.length === onAir.length ? onAir : left
}
