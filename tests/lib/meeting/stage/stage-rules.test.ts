import { describe, expect, test } from 'vitest'
import { ROOM_ROLES, type RoomRole } from '#lib/core/shared/event/live-event.ts'
import {
  canActOnStage,
  type StageAct,
  type StagePlace,
  tokenIssuedSeconds,
  withoutStreams,
  withStream,
} from '#lib/meeting/stage/rules.ts'
import type { LiveStream } from '#lib/workshop/session/event-schema.ts'

const asked = (role: RoomRole, place: StagePlace, act: StageAct) => canActOnStage({ role, place }, act)

describe.each(ROOM_ROLES)('on the stage a %s', (role) => {
  const presents = role === 'host' || role === 'speaker'

  test('publishes when presenting or invited and there', () => {
    for (const place of ['off', 'invited'] as const)
      expect(asked(role, place, 'publish').because).toBe(presents ? 'presents' : 'not_on_stage')
    expect(asked(role, 'on', 'publish')).toEqual({ allow: true, because: presents ? 'presents' : 'invited' })
  })

  test('answers an invitation and nothing else', () => {
    expect(asked(role, 'invited', 'answer')).toEqual({ allow: true, because: 'invited' })
    for (const place of ['off', 'on'] as const)
      expect(asked(role, place, 'answer')).toEqual({ allow: false, because: 'not_invited' })
  })

  test('raises a hand only as a viewer', () => {
    const viewer = role === 'viewer'
    expect(asked(role, 'off', 'raiseHand')).toEqual({
      allow: viewer,
      because: viewer ? 'viewer' : 'staff_speak_anyway',
    })
  })

  test('keeps order and has captions written as its right says', () => {
    const because = presents ? 'presents' : 'not_a_presenter'
    expect(asked(role, 'on', 'listen')).toEqual({ allow: presents, because })
    const moderates = role !== 'viewer'
    for (const act of ['takeOff', 'invite', 'caption', 'seeHands'] as const)
      expect(asked(role, 'on', act)).toEqual({
        allow: moderates,
        because: moderates ? 'moderates' : 'not_a_moderator',
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

describe('what is on air', () => {
  const before = [stream('a', 'camera'), stream('b', 'camera'), stream('a', 'screen')]

  test('gets a new stream at its end and a changed one in its place', () => {
    const screen = stream('b', 'screen')
    expect(withStream(before, screen)).toEqual([...before, screen])
    const muted = stream('a', 'camera', false)
    expect(withStream(before, muted)).toEqual([muted, before[1], before[2]])
  })

  test('loses one stream of somebody, or all of them', () => {
    expect(withoutStreams(before, 'a', 'screen')).toEqual([before[0], before[1]])
    expect(withoutStreams(before, 'a')).toEqual([before[1]])
  })

  test('is the same list when nothing of it goes', () => {
    expect(withoutStreams(before, 'c')).toBe(before)
    expect(withoutStreams(before, 'b', 'screen')).toBe(before)
  })
})

test('a token of an encoder is issued five seconds after its key was made', () => {
  expect(tokenIssuedSeconds(new Date(10_999))).toBe(15)
})
