import { navigateTo, onPage } from '#islands/stores/page.ts'
import { prepareReactRefresh } from '#islands/stores/react-refresh.ts'
import { isTypingTarget } from '#islands/ui/key-target.ts'
import type { QueueBulkProps } from './QueueBulk.tsx'
import { $queueSelection, readSelection, selectAllSubmissions } from './queue-selection.ts'

/*
 * The queue is plain HTML with links and a GET form. The script submits changed filters, moves with J and K, selects
 * with X, and shows the bar of bulk actions.
 */
onPage(() => {
  const place = document.querySelector<HTMLElement>('#queue-bulk')
  if (!place) return undefined
  const filters = document.querySelector<HTMLFormElement>('#queue-filters')
  const change = (event: Event) => {
    const field = event.target
    const isChosen =
      field instanceof HTMLSelectElement || (field instanceof HTMLInputElement && field.type === 'checkbox')
    if (!filters || !(isChosen || event.type === 'datechange')) return
    // Lessons and groups belong to a course and are reset with it.
    if (isChosen && field.name === 'course')
      for (const name of ['lesson', 'group']) filters.querySelector(`[name=${name}]`)?.remove()
    navigateTo(`/homework${queryOfForm(filters)}`)
  }
  const pick = (event: Event) => {
    if (!(event.target instanceof HTMLInputElement)) return
    if ('selectAll' in event.target.dataset) selectAllSubmissions(event.target.checked)
    else readSelection()
  }
  const table = document.querySelector('#queue')
  filters?.addEventListener('change', change)
  filters?.addEventListener('datechange', change)
  table?.addEventListener('change', pick)
  document.addEventListener('keydown', handleKey)
  const end = attachBulkBar(place)
  readSelection()
  return () => {
    filters?.removeEventListener('change', change)
    filters?.removeEventListener('datechange', change)
    table?.removeEventListener('change', pick)
    document.removeEventListener('keydown', handleKey)
    end()
    $queueSelection.set([])
  }
})

function attachBulkBar(place: HTMLElement): () => void {
  let gone = false
  let close = () => {}
  const stop = $queueSelection.subscribe((chosen) => {
    if (chosen.length === 0) return
    queueMicrotask(() => stop())
    void loadBulkBar(place).then((end) => {
      close = end
      if (gone) end()
    })
  })
  return () => {
    gone = true
    stop()
    close()
  }
}

async function loadBulkBar(place: HTMLElement): Promise<() => void> {
  prepareReactRefresh()
  const { mountQueueBulk: mountBulk } = await import('./QueueBulk.tsx')
  const props: QueueBulkProps = JSON.parse(place.dataset.props ?? '')
  return mountBulk(place, props)
}

function handleKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isKeyTaken(event.target)) return
  const links = [...document.querySelectorAll<HTMLAnchorElement>('#queue [data-work]')]
  const here = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement))
  const key = event.code
  if (key === 'KeyJ' || key === 'KeyK') {
    links[key === 'KeyJ' ? Math.min(here + 1, links.length - 1) : Math.max(here - 1, 0)]?.focus()
    event.preventDefault()
  }
  if (key === 'KeyX' && here >= 0) {
    links[here]?.closest('tr')?.querySelector<HTMLInputElement>('[data-select]')?.click()
    event.preventDefault()
  }
}

function isKeyTaken(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], dialog[open]')) return true
  if (!(target instanceof HTMLElement) || target.matches('input[type=checkbox]')) return false
  return isTypingTarget(target)
}

/** The query of a form without empty fields. */
function queryOfForm(form: HTMLFormElement): string {
  const pairs = [...new FormData(form)].map(([name, value]) => [name, String(value)])
  const query = new URLSearchParams(pairs.filter(([, value]) => value !== ''))
  return query.size > 0 ? `?${query}` : ''
}
