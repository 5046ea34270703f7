import type { Acts } from './acts.ts'

type Act = (acts: Acts) => void

// By the place of the key and not by its letter: on a Ukrainian keyboard K writes «л».
const KEYS: Record<string, Act> = {
  Space: ({ toggle }) => toggle(),
  KeyK: ({ toggle }) => toggle(),
  ArrowLeft: ({ step }) => step(-5),
  ArrowRight: ({ step }) => step(5),
  KeyJ: ({ step }) => step(-10),
  KeyL: ({ step }) => step(10),
  ArrowUp: ({ louder }) => louder(0.05),
  ArrowDown: ({ louder }) => louder(-0.05),
  KeyM: ({ mute }) => mute(),
  KeyC: ({ toggleCaptions }) => toggleCaptions(),
  KeyF: ({ full }) => full(),
  Home: ({ part }) => part(0),
  End: ({ part }) => part(1),
}

const SHIFTED: Record<string, Act> = {
  Comma: ({ faster }) => faster(-1),
  Period: ({ faster }) => faster(1),
}

/** What a key pressed inside the player does; null when it is not for the player. */
export function actOf(event: KeyboardEvent): Act | null {
  const { code, shiftKey, ctrlKey, metaKey, altKey, target } = event
  if (ctrlKey || metaKey || altKey || event.defaultPrevented || isTaken(code, target)) return null
  if (shiftKey) return SHIFTED[code] ?? null
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(code)?.[1]
  return digit ? ({ part }) => part(Number(digit) / 10) : (KEYS[code] ?? null)
}

/** A choice, a box or a button that has the focus needs the key itself. */
function isTaken(code: string, target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.matches('select')) return true
  if (target.matches('[data-volume]')) return code.startsWith('Arrow')
  return code === 'Space' && target.matches('button, input[type=checkbox], summary, a')
}
