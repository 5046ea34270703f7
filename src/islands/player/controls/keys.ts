import type { PlayerActions } from './actions.ts'

type KeyAction = (actions: PlayerActions) => void

// By the physical key instead of the character: on a Ukrainian keyboard K types «л».
const KEY_ACTIONS: Record<string, KeyAction> = {
  Space: ({ togglePlay }) => togglePlay(),
  KeyK: ({ togglePlay }) => togglePlay(),
  ArrowLeft: ({ seekBy }) => seekBy(-5),
  ArrowRight: ({ seekBy }) => seekBy(5),
  KeyJ: ({ seekBy }) => seekBy(-10),
  KeyL: ({ seekBy }) => seekBy(10),
  ArrowUp: ({ changeVolume }) => changeVolume(0.05),
  ArrowDown: ({ changeVolume }) => changeVolume(-0.05),
  KeyM: ({ toggleMute }) => toggleMute(),
  KeyC: ({ toggleCaptions }) => toggleCaptions(),
  KeyF: ({ toggleFullscreen }) => toggleFullscreen(),
  Home: ({ seekToShare }) => seekToShare(0),
  End: ({ seekToShare }) => seekToShare(1),
}

const SHIFT_ACTIONS: Record<string, KeyAction> = {
  Comma: ({ changeSpeed }) => changeSpeed(-1),
  Period: ({ changeSpeed }) => changeSpeed(1),
}

/** The action of a key press inside the player; null when the player does not handle it. */
export function actionOfKey(event: KeyboardEvent): KeyAction | null {
  const { code, shiftKey, ctrlKey, metaKey, altKey, target } = event
  if (ctrlKey || metaKey || altKey || event.defaultPrevented || isUsedByTarget(code, target)) return null
  if (shiftKey) return SHIFT_ACTIONS[code] ?? null
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1]
  return digit ? ({ seekToShare }) => seekToShare(Number(digit) / 10) : (KEY_ACTIONS[code] ?? null)
}

/** A focused select, checkbox or button handles the key itself. */
function isUsedByTarget(code: string, target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.matches('select')) return true
  if (target.matches('[data-volume]')) return code.startsWith('Arrow')
  return code === 'Space' && target.matches('button, input[type=checkbox], summary, a')
}
