import { MODES, type Mode } from '#lib/core/shared/event/live-event.ts'

/** Everything of the bar that one key does. */
export type BarAct =
  | 'start'
  | 'microphone'
  | 'camera'
  | 'screen'
  | 'devices'
  | 'thumbs'
  | 'launcher'
  | 'hands'
  | 'sound'
  | 'captions'
  | 'fullscreen'
  | 'saving'
  | 'panel'
  | 'leave'
  | 'keys'
  | 'next'
  | 'previous'
  | 'typeCaption'
  | { mode: Mode }

/*
 * By the place of the key on the board, not by its letter: under a Ukrainian layout M gives another sign. Who watches
 * has the sound on M, who presents the microphone; H is a hand up for one and the list of hands for the other.
 */
const STAFF: Record<string, BarAct> = {
  KeyG: 'start',
  KeyM: 'microphone',
  KeyV: 'camera',
  KeyS: 'screen',
  KeyD: 'devices',
  KeyT: 'thumbs',
  KeyL: 'launcher',
  KeyH: 'hands',
  KeyU: 'sound',
  KeyC: 'captions',
  KeyY: 'typeCaption',
  KeyF: 'fullscreen',
  KeyB: 'saving',
  KeyP: 'panel',
  KeyQ: 'leave',
  ArrowRight: 'next',
  PageDown: 'next',
  ArrowLeft: 'previous',
  PageUp: 'previous',
}

const VIEWER: Record<string, BarAct> = {
  KeyM: 'sound',
  KeyU: 'sound',
  KeyH: 'hands',
  KeyC: 'captions',
  KeyF: 'fullscreen',
  KeyB: 'saving',
  KeyP: 'panel',
  KeyQ: 'leave',
}

/** On the stage by invitation: a viewer with a microphone. */
const GUEST: Record<string, BarAct> = { ...VIEWER, KeyM: 'microphone', KeyV: 'camera', KeyS: 'screen', KeyD: 'devices' }

export type KeySet = 'staff' | 'viewer' | 'guest'
const SETS: Record<KeySet, Record<string, BarAct>> = { staff: STAFF, viewer: VIEWER, guest: GUEST }

type Pressed = Pick<KeyboardEvent, 'code' | 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** What a key means; null when nothing of ours. */
export function actOfKey(pressed: Pressed, set: KeySet): BarAct | null {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return null
  if (pressed.key === '?') return 'keys'
  if (pressed.shiftKey) return null
  const digit = /^(?:Digit|Numpad)([1-4])$/.exec(pressed.code)?.[1]
  const mode = digit ? MODES[Number(digit) - 1] : undefined
  if (mode) return set === 'staff' ? { mode } : null
  return SETS[set][pressed.code] ?? null
}

/** One word for an act, to find its button by. */
export const nameOf = (act: BarAct): string => (typeof act === 'object' ? `mode-${act.mode}` : act)

/** The letter that is shown beside an act: the first key that does it. */
export function keyOf(act: BarAct, set: KeySet): string {
  if (typeof act === 'object') return String(MODES.indexOf(act.mode) + 1)
  if (act === 'keys') return '?'
  const code = Object.keys(SETS[set]).find((one) => SETS[set][one] === act) ?? ''
  return ARROWS[code] ?? code.replace('Key', '')
}

const ARROWS: Record<string, string> = { ArrowRight: '→', ArrowLeft: '←' }

// Where letters are written, and where arrows have a meaning of their own.
const TAKEN =
  'input, textarea, select, [contenteditable="true"], [role="tablist"], [role="menu"], [role="dialog"], [role="listbox"], [role="radiogroup"], [role="slider"], dialog'

/** Whether somebody writes there. */
export const typesIn = (target: Element | null): boolean =>
  !!target?.matches('textarea, [contenteditable="true"], input:not([type="checkbox"], [type="radio"], [type="range"])')

/** Whether a key pressed there belongs to somebody else. */
export const isTaken = (target: EventTarget | null): boolean => target instanceof Element && !!target.closest(TAKEN)
