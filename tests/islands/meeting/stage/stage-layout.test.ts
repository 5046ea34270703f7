import { describe, expect, test } from 'vitest'
import { commandOfKey, shortcutOf } from '#islands/meeting/bar-shortcuts.ts'
import { computeLayout, countColumns, fitToBox } from '#islands/meeting/stage/stage-layout.ts'
import { PRESENTATION_MODES, type PresentationMode } from '#lib/core/shared/event/live-event.ts'
import type { LiveStream } from '#lib/workshop/session/event-schema.ts'

const stream = (kind: LiveStream['kind'], person = '1'): LiveStream => ({
  stream: `${person}-${kind}`,
  personId: person,
  kind,
  name: person,
  microphone: true,
  camera: true,
})
const [face, screen] = [stream('camera'), stream('screen')]

describe('the layout of the stage', () => {
  test.each([
    ['presentation', 'slides', 'heard'],
    ['preview', 'slides', 'corner'],
    ['broadcast', null, 'grid'],
    ['presentationAndBroadcast', 'slides', 'strip'],
  ] as const)('places content and presenters in the mode %s', (mode, content, people) => {
    expect(computeLayout({ mode, onAir: [face], hasSlides: true, hasVideo: false })).toMatchObject({ content, people })
  })

  test('a shared screen replaces the slides, and is one of the pictures when only presenters are shown', () => {
    const facts = { onAir: [face, screen], hasSlides: true, hasVideo: false }
    expect(computeLayout({ mode: 'presentation', ...facts })).toMatchObject({
      content: 'screen',
      screen,
      tiles: [face],
    })
    expect(computeLayout({ mode: 'broadcast', ...facts })).toMatchObject({ screen: null, tiles: [face, screen] })
  })

  test.each(PRESENTATION_MODES)('contains every stream in the mode %s', (mode) => {
    const onAir = [face, screen, stream('camera', '2'), stream('screen', '2'), stream('encoder', '2')]
    const layout = computeLayout({ mode, onAir, hasSlides: true, hasVideo: false })
    expect([...layout.tiles, layout.screen].filter((place) => place !== null).length).toBe(5)
  })

  test('shows an encoder alone, next to a camera and next to slides', () => {
    const encoder = stream('encoder')
    const layout = (mode: PresentationMode, onAir: LiveStream[], hasSlides = false) =>
      computeLayout({ mode, onAir, hasSlides, hasVideo: false })
    expect(layout('presentationAndBroadcast', [encoder])).toMatchObject({ people: 'grid', tiles: [encoder] })
    expect(layout('broadcast', [face, encoder])).toMatchObject({ people: 'grid', tiles: [face, encoder] })
    expect(layout('presentationAndBroadcast', [encoder], true)).toMatchObject({ people: 'strip', tiles: [encoder] })
  })

  test('falls back when the mode has no content or no presenters', () => {
    expect(computeLayout({ mode: 'presentation', onAir: [face], hasSlides: false, hasVideo: false }).people).toBe(
      'grid',
    )
    expect(computeLayout({ mode: 'preview', onAir: [], hasSlides: true, hasVideo: false }).people).toBe('heard')
    expect(computeLayout({ mode: 'preview', onAir: [], hasSlides: true, hasVideo: true }).people).toBe('corner')
  })
})

test('pictures are as large as the box allows', () => {
  expect(countColumns(1, { width: 1600, height: 900 })).toBe(1)
  expect(countColumns(4, { width: 1600, height: 900 })).toBe(2)
  expect(countColumns(3, { width: 390, height: 800 })).toBe(1)
  expect(countColumns(3, { width: 2000, height: 300 })).toBe(3)
  expect(fitToBox(16 / 9, { width: 1600, height: 300 })).toEqual({ width: 533, height: 300 })
  expect(fitToBox(3 / 4, { width: 300, height: 900 })).toEqual({ width: 300, height: 400 })
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

describe('shortcuts', () => {
  test('switch the four modes for staff, not for viewers', () => {
    expect(['Digit1', 'Digit2', 'Digit3', 'Numpad4'].map((code) => commandOfKey(key(code), 'staff'))).toEqual(
      PRESENTATION_MODES.map((mode) => ({ mode })),
    )
    expect(commandOfKey(key('Digit1'), 'viewer')).toBeNull()
    expect(commandOfKey(key('Digit5'), 'staff')).toBeNull()
  })

  test('depend on the physical key, so that a Ukrainian layout works', () => {
    expect(commandOfKey(key('KeyM', { key: 'ь' }), 'staff')).toBe('microphone')
    expect(commandOfKey(key('KeyM', { key: 'ь' }), 'viewer')).toBe('sound')
    expect(commandOfKey(key('KeyM', { ctrlKey: true }), 'staff')).toBeNull()
    expect(commandOfKey(key('Digit7', { key: '?', shiftKey: true }), 'viewer')).toBe('keys')
  })

  test('are labelled by their key', () => {
    expect(shortcutOf('microphone', 'staff')).toBe('M')
    expect(shortcutOf('next', 'staff')).toBe('→')
    expect(shortcutOf({ mode: 'broadcast' }, 'staff')).toBe('3')
    expect(shortcutOf('start', 'viewer')).toBe('')
  })
})
