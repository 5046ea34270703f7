/** A press that goes on for longer is no click that could be lost, or its end was not heard of. */
const LONGEST = 1000

/**
 * Follows the presses on a page. What it gives runs something at once, or when the press that is going on is over: what
 * moves between the two halves of a click takes the click away.
 */
export function createPressQueue(page: EventTarget): (run: () => void) => void {
  const waiting = new Set<() => void>()
  let pressed = false
  const end = () => {
    pressed = false
    const due = [...waiting]
    waiting.clear()
    // The click itself comes after this event.
    for (const run of due) setTimeout(run)
  }
  page.addEventListener(
    'pointerdown',
    (event) => {
      pressed = !('button' in event && Number(event.button) > 0)
    },
    true,
  )
  page.addEventListener('pointerup', end, true)
  page.addEventListener('pointercancel', end, true)
  return (run) => {
    if (!pressed) return run()
    waiting.add(run)
    setTimeout(() => waiting.delete(run) && run(), LONGEST)
  }
}

/** The press queue of this page. */
export const runAfterPress = typeof document === 'undefined' ? (run: () => void) => run() : createPressQueue(document)
