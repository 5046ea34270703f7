import { describe, expect, test } from 'vitest'
import { ROOM_ROLES, type RoomRole } from '#lib/core/shared/event/live-event.ts'
import {
  canActOnStage,
  encoderKeyIssuedAt,
  type StageAction,
  type StagePlace,
  withoutStreams,
  withStream,
} from '#lib/meeting/stage/rules.ts'
import type { LiveStream } from '#lib/workshop/session/event-schema.ts'

const decide = (role: RoomRole, place: StagePlace, action: StageAction) => canActOnStage({ role, place }, action)

describe.each(ROOM_ROLES)('on stage a %s', (role) => {
  const presents = role === 'host' || role === 'speaker'
  const publishes = presents || role === 'student'

  test('publishes when presenting, or when invited and present', () => {
    for (const place of ['off', 'invited'] as const)
      expect(decide(role, place, 'publish').reason).toBe(publishes ? 'presents' : 'not_on_stage')
    expect(decide(role, 'on', 'publish')).toEqual({ allow: true, reason: publishes ? 'presents' : 'invited' })
  })

  test('answers an invitation and nothing else', () => {
    expect(decide(role, 'invited', 'answer')).toEqual({ allow: true, reason: 'invited' })
    for (const place of ['off', 'on'] as const)
      expect(decide(role, place, 'answer')).toEqual({ allow: false, reason: 'not_invited' })
  })

  test('raises a hand only as a viewer', () => {
    const viewer = role === 'viewer'
    expect(decide(role, 'off', 'raiseHand')).toEqual({
      allow: viewer,
      reason: viewer ? 'viewer' : 'staff_speak_anyway',
    })
  })

  test('moderates and starts captions as the role permits', () => {
    const reason = presents ? 'presents' : 'not_a_presenter'
    expect(decide(role, 'on', 'listen')).toEqual({ allow: presents, reason })
    const moderates = presents || role === 'moderator'
    for (const action of ['takeOff', 'invite', 'caption', 'seeHands'] as const)
      expect(decide(role, 'on', action)).toEqual({
        allow: moderates,
        reason: moderates ? 'moderates' : 'not_a_moderator',
      })
  })
})

const stream = (personId: string, kind: LiveStream['kind'], microphone = true): LiveStream => ({
  stream: `${personId}-${kind}`,
  personId,
  kind,
  name: personId,
  microphone,
  camera: true,
})

describe('the list of live streams', () => {
  const before = [stream('a', 'camera'), stream('b', 'camera'), stream('a', 'screen')]

  test('appends a new stream and replaces a changed one in place', () => {
    const screen = stream('b', 'screen')
    expect(withStream(before, screen)).toEqual([...before, screen])
    const muted = stream('a', 'camera', false)
    expect(withStream(before, muted)).toEqual([muted, before[1], before[2]])
  })

  test('removes one stream of a participant, or all of them', () => {
    expect(withoutStreams(before, 'a', 'screen')).toEqual([before[0], before[1]])
    expect(withoutStreams(before, 'a')).toEqual([before[1]])
  })

  test('is unchanged when none of its streams is removed', () => {
    expect(withoutStreams(before, 'c')).toBe(before)
    expect(withoutStreams(before, 'b', 'screen')).toBe(before)
  })
})

test('a publisher token is issued five seconds after its encoder key was created, and after the previous token', () => {
  expect(encoderKeyIssuedAt(new Date(10_999), null)).toBe(15)
  expect(encoderKeyIssuedAt(new Date(10_999), 14)).toBe(15)
  expect(encoderKeyIssuedAt(new Date(10_999), 15)).toBe(16)
  expect(encoderKeyIssuedAt(new Date(10_999), 20)).toBe(21)
})
