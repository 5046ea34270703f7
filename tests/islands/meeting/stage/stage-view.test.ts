import { describe, expect, test } from 'vitest'
import { actOfKey, keyOf } from '#islands/meeting/bar-keys.ts'
import { clockOf, columnsFor, fitInto, layoutOf } from '#islands/meeting/stage/stage-view.ts'
import { MODES } from '#lib/core/shared/event/live-event.ts'
import type { OnAir } from '#lib/workshop/session/event-schema.ts'

const stream = (kind: 'camera' | 'screen', person = '1'): OnAir => ({
  stream: `${person}-${kind}`,
  personId: person,
  kind,
  name: person,
  microphone: true,
  camera: true,
})
const [face, screen] = [stream('camera'), stream('screen')]

describe('what stands where', () => {
  test.each([
    ['presentation', 'slides', 'heard'],
    ['preview', 'slides', 'corner'],
    ['broadcast', null, 'grid'],
    ['presentationAndBroadcast', 'slides', 'strip'],
  ] as const)('in the mode %s', (mode, content, people) => {
    expect(layoutOf({ mode, onAir: [face], slides: true, film: false })).toMatchObject({ content, people })
  })

  test('a shared screen takes the place of the slides, and is one of the pictures when only people are shown', () => {
    const facts = { onAir: [face, screen], slides: true, film: false }
    expect(layoutOf({ mode: 'presentation', ...facts })).toMatchObject({ content: 'screen', screen, faces: [face] })
    expect(layoutOf({ mode: 'broadcast', ...facts })).toMatchObject({ screen: null, faces: [face, screen] })
  })

  test.each(MODES)('nothing is ever missing that is on air, in the mode %s', (mode) => {
    const onAir = [face, screen, stream('camera', '2'), stream('screen', '2')]
    const layout = layoutOf({ mode, onAir, slides: true, film: false })
    expect([...layout.faces, layout.screen].filter((one) => one !== null).length).toBe(4)
  })

  test('a mode without its picture falls back to what there is', () => {
    expect(layoutOf({ mode: 'presentation', onAir: [face], slides: false, film: false }).people).toBe('grid')
    expect(layoutOf({ mode: 'preview', onAir: [], slides: true, film: false }).people).toBe('heard')
    expect(layoutOf({ mode: 'preview', onAir: [], slides: true, film: true }).people).toBe('corner')
  })
})

test('pictures are as large as the place allows', () => {
  expect(columnsFor(1, { width: 1600, height: 900 })).toBe(1)
  expect(columnsFor(4, { width: 1600, height: 900 })).toBe(2)
  expect(columnsFor(3, { width: 390, height: 800 })).toBe(1)
  expect(columnsFor(3, { width: 2000, height: 300 })).toBe(3)
  expect(fitInto(16 / 9, { width: 1600, height: 300 })).toEqual({ width: 533, height: 300 })
  expect(fitInto(3 / 4, { width: 300, height: 900 })).toEqual({ width: 300, height: 400 })
})

test('a clock has hours only when there are any', () => {
  expect([-5, 5, 65, 3723].map(clockOf)).toEqual(['0:00', '0:05', '1:05', '1:02:03'])
})

const key = (code: string, more: Partial<KeyboardEvent> = {}) => ({
  code,
  key: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
})

describe('keys', () => {
  test('switch the four modes for staff, and nothing for viewers', () => {
    expect(['Digit1', 'Digit2', 'Digit3', 'Numpad4'].map((code) => actOfKey(key(code), 'staff'))).toEqual(
      MODES.map((mode) => ({ mode })),
    )
    expect(actOfKey(key('Digit1'), 'viewer')).toBeNull()
    expect(actOfKey(key('Digit5'), 'staff')).toBeNull()
  })

  test('are known by their place, so that a Ukrainian layout changes nothing', () => {
    expect(actOfKey(key('KeyM', { key: 'ь' }), 'staff')).toBe('microphone')
    expect(actOfKey(key('KeyM', { key: 'ь' }), 'viewer')).toBe('sound')
    expect(actOfKey(key('KeyM', { ctrlKey: true }), 'staff')).toBeNull()
    expect(actOfKey(key('Digit7', { key: '?', shiftKey: true }), 'viewer')).toBe('keys')
  })

  test('are shown as they are pressed', () => {
    expect(keyOf('microphone', 'staff')).toBe('M')
    expect(keyOf('next', 'staff')).toBe('→')
    expect(keyOf({ mode: 'broadcast' }, 'staff')).toBe('3')
    expect(keyOf('start', 'viewer')).toBe('')
  })
})
