import { onPage } from '#islands/stores/page.ts'

/*
 * Shows a signed-in student's progress on a road map: the page is cached and equal for everybody, so personal data is
 * added here.
 */
interface RoadmapProgress {
  marks: Record<string, 'done' | 'started' | 'ahead'>
  done: number
  total: number
  continueHref: string | null
}

onPage(() => {
  const box = document.querySelector<HTMLElement>('[data-walk]')
  if (box) void showProgress(box)
})

async function showProgress(box: HTMLElement): Promise<void> {
  const query = new URLSearchParams({ roadmapId: box.dataset.walk ?? '' })
  const response = await fetch(`/v1/module/roadmap/getProgress?${query}`, { headers: { accept: 'application/json' } })
  // Errors are ignored: the road map is complete without progress.
  if (!response.ok) return
  const progress: RoadmapProgress = await response.json()
  if (progress.total === 0) return
  for (const item of document.querySelectorAll<HTMLElement>('[data-ref]')) markItem(item, progress)
  showSummary(box, progress)
}

function markItem(item: HTMLElement, { marks }: RoadmapProgress): void {
  const state = marks[item.dataset.ref ?? '']
  if (!state) return
  item.dataset.mark = state
  const status = item.querySelector<HTMLElement>('[data-done]')
  if (status) status.textContent = state === 'ahead' ? '' : ` (${status.dataset[state] ?? ''})`
}

function showSummary(box: HTMLElement, { done, total, continueHref }: RoadmapProgress): void {
  const summary = (box.dataset.words ?? '').replace('@done', `${done}`).replace('@total', `${total}`)
  box.hidden = false
  const text = box.querySelector('[data-status]')
  if (text) text.textContent = summary
  const bar = box.querySelector('progress')
  if (bar) Object.assign(bar, { value: done, max: total })
  const link = box.querySelector<HTMLAnchorElement>('[data-continue]')
  if (!link || !continueHref) return
  link.href = continueHref
  link.hidden = false
}
