/** The action of a key in the list; null for other keys. */
export type KeyAction =
  | { do: 'step'; by: number; range: boolean }
  | {
      do:
        | 'open'
        | 'preview'
        | 'turn'
        | 'rename'
        | 'delete'
        | 'all'
        | 'copy'
        | 'cut'
        | 'paste'
        | 'clear'
        | 'search'
        | 'up'
    }

interface PressedKey {
  key: string
  code: string
  ctrlKey: boolean
  metaKey: boolean
  shiftKey: boolean
  altKey: boolean
}

const TO_END = 1_000_000

/** `columns`: tiles in a row; 1 in a list. */
export function keyAction(event: PressedKey, columns: number): KeyAction | null {
  const { key, shiftKey: range } = event
  if (event.altKey) return null
  if (event.ctrlKey || event.metaKey) return commandAction(event.code)
  const step = (by: number): KeyAction => ({ do: 'step', by, range })
  switch (key) {
    case 'ArrowDown':
      return step(columns)
    case 'ArrowUp':
      return step(-columns)
    case 'ArrowRight':
      return columns > 1 ? step(1) : null
    case 'ArrowLeft':
      return columns > 1 ? step(-1) : null
    case 'PageDown':
      return step(columns * 8)
    case 'PageUp':
      return step(columns * -8)
    case 'Home':
      return step(-TO_END)
    case 'End':
      return step(TO_END)
    case 'Enter':
      return { do: 'open' }
    case ' ':
      return { do: 'preview' }
    case 'F2':
      return { do: 'rename' }
    case 'Delete':
      return { do: 'delete' }
    case 'Escape':
      return { do: 'clear' }
    case '/':
      return { do: 'search' }
    case 'Backspace':
      return { do: 'up' }
    default:
      return null
  }
}

// By the physical key: the Cyrillic layout has other characters.
function commandAction(code: string): KeyAction | null {
  switch (code) {
    case 'KeyA':
      return { do: 'all' }
    case 'KeyC':
      return { do: 'copy' }
    case 'KeyX':
      return { do: 'cut' }
    case 'KeyV':
      return { do: 'paste' }
    case 'Space':
      return { do: 'turn' }
    default:
      return null
  }
}
