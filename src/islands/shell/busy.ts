import { $isBusy } from '#islands/stores/busy.ts'
import { $failure } from '#islands/stores/failure.ts'

const PATIENCE_MILLISECONDS = 200

/** The full-screen spinner: after 200 ms of a foreground mutation or an open loader; takes no focus. */
export function renderSpinner(veil: HTMLElement | null): void {
  if (!veil) return
  const words = veil.querySelector<HTMLElement>('[data-words]')
  let timer: ReturnType<typeof setTimeout> | undefined
  $isBusy.subscribe((busy) => {
    clearTimeout(timer)
    if (busy) timer = setTimeout(() => show(true), PATIENCE_MILLISECONDS)
    else show(false)
  })

  // The words are set when it shows: a status region announces a change, not what was always there.
  function show(on: boolean) {
    if (!veil) return
    veil.hidden = !on
    if (words) words.textContent = on ? (words.dataset.words ?? '') : ''
  }
}

/** The shared error flag as one line under the top bar. */
export function renderFailure(line: HTMLElement | null): void {
  if (!line) return
  $failure.subscribe((failure) => {
    line.hidden = !failure.on
    line.textContent = failure.on ? failure.message || (line.dataset.words ?? '') : ''
  })
}
