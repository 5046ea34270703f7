import { describe, expect, test, vi } from 'vitest'
import { actionOfKey } from '#islands/player/controls/keys.ts'
import { startPosition } from '#islands/player/start-position.ts'
import { formatClock } from '#lib/core/shared/text/clock.ts'
import { resumePosition } from '#lib/storage/rules.ts'

test('times are formatted as on a clock', () => {
  expect([0, 9.9, 65, 3599, 3600, 36_061, Number.NaN, -1].map(formatClock)).toEqual([
    '0:00',
    '0:09',
    '1:05',
    '59:59',
    '1:00:00',
    '10:01:01',
    '0:00',
    '0:00',
  ])
})

test('media watched to its end starts from the beginning, short or long', () => {
  expect([594, 596].map((seconds) => resumePosition(seconds, 600))).toEqual([594, 0])
  expect([1.8, 1.95].map((seconds) => resumePosition(seconds, 2))).toEqual([1.8, 0])
  expect(resumePosition(99, null)).toBe(99)
})

test('media resumes at the last position, except within its first seconds', () => {
  const view = { fileId: 'f', memberId: 'm', duration: 600 }
  const at = '2026-11-21T10:00:00.000Z'
  expect(startPosition({ ...view, position: { seconds: 120, at } })).toBe(120)
  expect(startPosition({ ...view, position: { seconds: 2, at } })).toBe(0)
  expect(startPosition({ ...view, position: null })).toBe(0)
  const kept = { seconds: 200, at: Date.parse(at) + 1 }
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => (key === 'player.place.m.f' ? JSON.stringify(kept) : null),
  })
  expect(startPosition({ ...view, position: { seconds: 120, at } })).toBe(200)
  expect(startPosition({ ...view, memberId: 'other', position: null })).toBe(0)
  vi.unstubAllGlobals()
})

describe('keys', () => {
  const press = (code: string, more: Partial<KeyboardEvent> = {}) =>
    actionOfKey({ code, target: null, ...more } as KeyboardEvent)

  test('depend on the key position and leave the browser’s shortcuts', () => {
    vi.stubGlobal('HTMLElement', class {})
    expect(press('KeyK', { key: 'л' })).not.toBeNull()
    expect(press('Digit7')).not.toBeNull()
    expect(press('Period', { shiftKey: true, key: 'Ю' })).not.toBeNull()
    expect(press('Period')).toBeNull()
    expect(press('KeyK', { ctrlKey: true })).toBeNull()
    expect(press('KeyF', { metaKey: true })).toBeNull()
    expect(press('KeyQ')).toBeNull()
    vi.unstubAllGlobals()
  })
})
