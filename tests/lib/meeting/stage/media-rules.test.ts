import { expect, test } from 'vitest'
import { ROOM_ROLES } from '#lib/core/shared/event/live-event.ts'
import { canGetSlides, canUseStreams } from '#lib/meeting/stage/media-rules.ts'

const person = { role: 'viewer' as const, isOnStage: false, isBarred: false }
const PHASES = ['waiting', 'live', 'finished'] as const

test.each(ROOM_ROLES)('the permissions of a %s to play and publish follow the phase', (role) => {
  const may = (phase: (typeof PHASES)[number], direction: 'publish' | 'play') =>
    canUseStreams({ ...person, role }, phase, direction).reason
  const presents = ['host', 'speaker', 'student'].includes(role) ? 'presents' : 'not_on_stage'
  expect(PHASES.map((phase) => may(phase, 'publish'))).toEqual([presents, presents, 'finished'])
  const backstage = role === 'viewer' || role === 'student' ? 'not_begun' : 'backstage'
  expect(PHASES.map((phase) => may(phase, 'play'))).toEqual([backstage, 'live', 'finished'])
})

test.each(ROOM_ROLES)('the permission of a %s to get the slides depends on the phase', (role) => {
  const backstage = role === 'viewer' || role === 'student' ? 'not_begun' : 'backstage'
  const reasons = PHASES.map((phase) => canGetSlides({ ...person, role }, phase).reason)
  expect(reasons).toEqual([backstage, 'begun', 'begun'])
  expect(canGetSlides({ ...person, role, isOnStage: true }, 'waiting').allow).toBe(true)
  expect(canGetSlides({ ...person, role, isBarred: true }, 'live').allow).toBe(false)
})

test('a viewer on stage publishes and sees the backstage', () => {
  const staged = { ...person, isOnStage: true }
  expect(canUseStreams(staged, 'waiting', 'publish')).toEqual({ allow: true, reason: 'presents' })
  expect(canUseStreams(staged, 'waiting', 'play')).toEqual({ allow: true, reason: 'backstage' })
  expect(canUseStreams(person, 'waiting', 'play')).toEqual({ allow: false, reason: 'not_begun' })
  expect(canUseStreams(person, 'live', 'play')).toEqual({ allow: true, reason: 'live' })
  expect(canUseStreams(person, 'live', 'publish')).toEqual({ allow: false, reason: 'not_on_stage' })
})

test('nobody uses streams after the end, and a banned person never does', () => {
  const host = { ...person, role: 'host' as const, isOnStage: true }
  for (const direction of ['publish', 'play'] as const) {
    expect(canUseStreams(host, 'finished', direction)).toEqual({ allow: false, reason: 'finished' })
    for (const phase of PHASES)
      expect(canUseStreams({ ...host, isBarred: true }, phase, direction)).toEqual({ allow: false, reason: 'barred' })
  }
})
