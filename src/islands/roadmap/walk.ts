import { onPage } from '#islands/stores/page.ts'

/*
 * A signed-in student's own way on a road map: the page is the same for everybody and is cached, so what belongs to one
 * person is marked here.
 */
interface Progress {
  marks: Record<string, 'done' | 'started' | 'ahead'>
  done: number
  total: number
  continueHref: string | null
}

onPage(() => {
  const box = document.querySelector<HTMLElement>('[data-walk]')
  if (box) void walk(box)
})

async function walk(box: HTMLElement): Promise<void> {
  const asked = new URLSearchParams({ roadmapId: box.dataset.walk ?? '' })
  const answer = await fetch(`/v1/module/roadmap/getProgress?${asked}`, { headers: { accept: 'application/json' } })
  // The map is whole without this: nothing is said when it cannot be had.
  if (!answer.ok) return
  const progress: Progress = await answer.json()
  if (progress.total === 0) return
  for (const item of document.querySelectorAll<HTMLElement>('[data-ref]')) mark(item, progress)
  show(box, progress)
}

function mark(item: HTMLElement, { marks }: Progress): void {
  const state = marks[item.dataset.ref ?? '']
  if (!state) return
  item.dataset.mark = state
  const words = item.querySelector<HTMLElement>('[data-done]')
  if (words) words.textContent = state === 'ahead' ? '' : ` (${words.dataset[state] ?? ''})`
}

function show(box: HTMLElement, { done, total, continueHref }: Progress): void {
  const words = (box.dataset.words ?? '').replace('@done', `${done}`).replace('@total', `${total}`)
  box.hidden = false
  const said = box.querySelector('[data-said]')
  if (said) said.textContent = words
  const bar = box.querySelector('progress')
  if (bar) Object.assign(bar, { value: done, max: total })
  const link = box.querySelector<HTMLAnchorElement>('[data-continue]')
  if (!link || !continueHref) return
  link.href = continueHref
  link.hidden = false
}
