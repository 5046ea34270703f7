import { PRESENTATION_MODES, type PresentationMode } from '#lib/core/shared/event/live-event.ts'

/** A command of the bar; each has a keyboard shortcut. */
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
 * Keyed by `KeyboardEvent.code`, the physical key, because the Ukrainian layout gives other characters. M toggles the
 * sound for viewers and the microphone for staff; H raises a hand for viewers and opens the list of hands for staff.
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

/** A viewer who was invited to the stage: viewer commands and own devices. */
const STAGE_GUEST_COMMANDS: Record<string, RoomCommand> = {
  ...VIEWER_COMMANDS,
  KeyM: 'microphone',
  KeyV: 'camera',
  KeyS: 'screen',
  KeyD: 'devices',
}

/** In a session with a mentor nobody raises a hand, and nothing is prepared that could be shown. */
const MENTOR_COMMANDS = omitKeys(STAFF_COMMANDS, ['KeyL', 'KeyH'])
const STUDENT_COMMANDS = omitKeys(STAGE_GUEST_COMMANDS, ['KeyH'])

export type KeySet = 'staff' | 'viewer' | 'guest' | 'mentor' | 'student'
const COMMANDS_BY_SET: Record<KeySet, Record<string, RoomCommand>> = {
  staff: STAFF_COMMANDS,
  viewer: VIEWER_COMMANDS,
  guest: STAGE_GUEST_COMMANDS,
  mentor: MENTOR_COMMANDS,
  student: STUDENT_COMMANDS,
}

/** Whether the keys are those of somebody who leads the room. */
export const areStaffKeys = (set: KeySet): boolean => set === 'staff' || set === 'mentor'

function omitKeys(commands: Record<string, RoomCommand>, keys: readonly string[]): Record<string, RoomCommand> {
  return Object.fromEntries(Object.entries(commands).filter(([key]) => !keys.includes(key)))
}

type PressedKey = Pick<KeyboardEvent, 'code' | 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** Returns the command of a key press, or null. */
export function commandOfKey(pressed: PressedKey, set: KeySet): RoomCommand | null {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return null
  if (pressed.key === '?') return 'keys'
  if (pressed.shiftKey) return null
  const digit = /^(?:Digit|Numpad)([1-4])$/.exec(pressed.code)?.[1]
  const mode = digit ? PRESENTATION_MODES[Number(digit) - 1] : undefined
  if (mode) return areStaffKeys(set) ? { mode } : null
  return COMMANDS_BY_SET[set][pressed.code] ?? null
}

/** Returns the name of a command, as in `data-action`. */
export const commandName = (command: RoomCommand): string =>
  typeof command === 'object' ? `mode-${command.mode}` : command

/** Returns the label of the first key of a command, empty without one. */
export function shortcutOf(command: RoomCommand, set: KeySet): string {
  if (typeof command === 'object') return String(PRESENTATION_MODES.indexOf(command.mode) + 1)
  if (command === 'keys') return '?'
  const code = Object.keys(COMMANDS_BY_SET[set]).find((keyCode) => COMMANDS_BY_SET[set][keyCode] === command) ?? ''
  return ARROWS[code] ?? code.replace('Key', '')
}

const ARROWS: Record<string, string> = { ArrowRight: '→', ArrowLeft: '←' }

// Text fields, and widgets that use arrow keys themselves.
const OWN_SHORTCUTS =
  'input, textarea, select, [contenteditable="true"], [role="tablist"], [role="menu"], [role="dialog"], [role="listbox"], [role="radiogroup"], [role="slider"], dialog'

/** Whether the element is a text field. */
export const isTextEntry = (target: Element | null): boolean =>
  !!target?.matches('textarea, [contenteditable="true"], input:not([type="checkbox"], [type="radio"], [type="range"])')

/** Whether the element handles key presses itself. */
export const hasOwnShortcuts = (target: EventTarget | null): boolean =>
  target instanceof Element && !!target.closest(OWN_SHORTCUTS)
