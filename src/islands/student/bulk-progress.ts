import { api } from '#islands/stores/api.ts'
import { onPage } from '#islands/stores/page.ts'

const INTERVAL_MS = 1000

/* Shows the progress of a bulk action while it runs, and its result at the end. */
onPage(() => {
  const section = document.querySelector<HTMLElement>('[data-bulk-job]')
  const jobId = section?.dataset.bulkJob
  const bar = section?.querySelector('progress')
  const text = section?.querySelector<HTMLElement>('[data-progress-text]')
  if (!jobId || !bar || !text) return undefined
  const template = text.dataset.text ?? ''
  const timer = setInterval(async () => {
    const job = await api.student.getBulkJob({ jobId }, { context: { isQuiet: true } }).catch(() => null)
    if (!job) return
    if (job.state !== 'queued' && job.state !== 'running') {
      clearInterval(timer)
      location.reload()
      return
    }
    const processed = job.doneCount + job.unchangedCount + job.failedCount
    bar.value = processed
    text.textContent = template.replace('{{done}}', String(processed))
  }, INTERVAL_MS)
  return () => clearInterval(timer)
})
