import { formatPercent, type Locale } from '#lib/core/shared/locale.ts'
import { refreshPage } from './page.ts'

const POLL_MS = 1000
const RETRY_MS = 5000

/**
 * Shows the progress of a job in the elements of its container (`progress`, `[data-words]`, `[data-lost]`) and refreshes
 * the page when it has ended. Asks every second, more slowly while offline. Returns a function that stops.
 */
export function followJob(
  container: HTMLElement,
  locale: Locale,
  readJob: () => Promise<{ state: string; progress: number }>,
): () => void {
  const bar = container.querySelector('progress')
  const statusText = container.querySelector<HTMLElement>('[data-words]')
  const offlineNotice = container.querySelector<HTMLElement>('[data-lost]')
  let timer: ReturnType<typeof setTimeout> | undefined
  const poll = async () => {
    try {
      const { state, progress } = await readJob()
      if (state !== 'queued' && state !== 'running') return refreshPage()
      if (bar) bar.value = progress
      const percent = formatPercent(progress / 100, locale)
      if (statusText && state === 'running')
        statusText.textContent = (statusText.dataset.template ?? '').replace('{{percent}}', percent)
      if (offlineNotice) offlineNotice.hidden = true
      timer = setTimeout(poll, POLL_MS)
    } catch {
      // The job continues on the server whatever the error.
      if (offlineNotice) offlineNotice.hidden = false
      timer = setTimeout(poll, RETRY_MS)
    }
  }
  timer = setTimeout(poll, POLL_MS)
  return () => clearTimeout(timer)
}
