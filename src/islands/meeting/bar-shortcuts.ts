import { PRESENTATION_MODES, type PresentationMode } from '#lib/core/shared/event/live-event.ts'

/** Everything of the bar that one key does. */
export type RoomCommand =
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
  | { mode: PresentationMode }

/*
 * By the place of the key on the board, not by its letter: under a Ukrainian layout M gives another sign. Who watches
 * has the sound on M, who presents the microphone; H is a hand up for one and the list of hands for the other.
 */
const STAFF_COMMANDS: Record<string, RoomCommand> = {
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

const VIEWER_COMMANDS: Record<string, RoomCommand> = {
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
const STAGE_GUEST_COMMANDS: Record<string, RoomCommand> = {
  ...VIEWER_COMMANDS,
  KeyM: 'microphone',
  KeyV: 'camera',
  KeyS: 'screen',
  KeyD: 'devices',
}

export type KeySet = 'staff' | 'viewer' | 'guest'
const COMMANDS_BY_SET: Record<KeySet, Record<string, RoomCommand>> = {
  staff: STAFF_COMMANDS,
  viewer: VIEWER_COMMANDS,
  guest: STAGE_GUEST_COMMANDS,
}

type PressedKey = Pick<KeyboardEvent, 'code' | 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** What a key means; null when nothing of ours. */
export function commandOfKey(pressed: PressedKey, set: KeySet): RoomCommand | null {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return null
  if (pressed.key === '?') return 'keys'
  if (pressed.shiftKey) return null
  const digit = /^(?:Digit|Numpad)([1-4])$/.exec(pressed.code)?.[1]
  const mode = digit ? PRESENTATION_MODES[Number(digit) - 1] : undefined
  if (mode) return set === 'staff' ? { mode } : null
  return COMMANDS_BY_SET[set][pressed.code] ?? null
}

/** One word for an act, to find its button by. */
export const commandName = (command: RoomCommand): string =>
  typeof command === 'object' ? `mode-${command.mode}` : command

/** The letter that is shown beside an act: the first key that does it. */
export function shortcutOf(command: RoomCommand, set: KeySet): string {
  if (typeof command === 'object') return String(PRESENTATION_MODES.indexOf(command.mode) + 1)
  if (command === 'keys') return '?'
  const code = Object.keys(COMMANDS_BY_SET[set]).find((keyCode) => COMMANDS_BY_SET[set][keyCode] === command) ?? ''
  return ARROWS[code] ?? code.replace('Key', '')
}

const ARROWS: Record<string, string> = { ArrowRight: '→', ArrowLeft: '←' }

// Where letters are written, and where arrows have a meaning of their own.
const OWN_SHORTCUTS =
  'input, textarea, select, [contenteditable="true"], [role="tablist"], [role="menu"], [role="dialog"], [role="listbox"], [role="radiogroup"], [role="slider"], dialog'

/** Whether somebody writes there. */
export const isTextEntry = (target: Element | null): boolean =>
  !!target?.matches('textarea, [contenteditable="true"], input:not([type="checkbox"], [type="radio"], [type="range"])')

/** Whether a key pressed there belongs to somebody else. */
export const hasOwnShortcuts = (target: EventTarget | null): boolean =>
  target instanceof Element && !!target.closest(OWN_SHORTCUTS)
