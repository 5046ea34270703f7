/** A longer press is no click, or its end was not reported. */
const MAX_PRESS_MS = 1000

/**
 * Tracks pointer presses. The returned function runs a callback immediately, or after the current press: a layout change
 * between pointerdown and pointerup would cancel the click.
 */
export function createPressQueue(page: EventTarget): (run: () => void) => void {
  const waiting = new Set<() => void>()
  let isPressed = false
  const end = () => {
    isPressed = false
    const callbacks = [...waiting]
    waiting.clear()
    // The click event follows this event.
    for (const run of callbacks) setTimeout(run)
  }
  page.addEventListener(
    'pointerdown',
    (event) => {
      isPressed = !('button' in event && Number(event.button) > 0)
    },
    true,
  )
  page.addEventListener('pointerup', end, true)
  page.addEventListener('pointercancel', end, true)
  return (run) => {
    if (!isPressed) return run()
    waiting.add(run)
    setTimeout(() => waiting.delete(run) && run(), MAX_PRESS_MS)
  }
}

/** The press queue of this page. */
export const runAfterPress = typeof document === 'undefined' ? (run: () => void) => run() : createPressQueue(document)
