import { $isBusy } from '#islands/stores/busy.ts'
import { $failure } from '#islands/stores/failure.ts'

const SPINNER_DELAY_MS = 200

/** The full-screen spinner: after 200 ms of a foreground mutation or an open loader; takes no focus. */
export function renderSpinner(overlay: HTMLElement | null): void {
  if (!overlay) return
  const label = overlay.querySelector<HTMLElement>('[data-words]')
  let timer: ReturnType<typeof setTimeout> | undefined
  $isBusy.subscribe((busy) => {
    clearTimeout(timer)
    if (busy) timer = setTimeout(() => show(true), SPINNER_DELAY_MS)
    else show(false)
  })

  // The text is set when it is shown: a status region announces only changes.
  function show(isVisible: boolean) {
    if (!overlay) return
    overlay.hidden = !isVisible
    if (label) label.textContent = isVisible ? (label.dataset.words ?? '') : ''
  }
}

/** The shared error flag as one line under the top bar. */
export function renderFailure(errorElement: HTMLElement | null): void {
  if (!errorElement) return
  $failure.subscribe((failure) => {
    errorElement.hidden = !failure.on
    errorElement.textContent = failure.on ? failure.message || (errorElement.dataset.words ?? '') : ''
  })
}
