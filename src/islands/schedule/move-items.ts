import { onPage } from '#islands/stores/page.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'

/*
 * Moves items of the calendar to another day: by drag and drop, or with Alt and arrow keys and Enter. Both open the page
 * that shows conflicts and asks whether to notify; the item keeps its local time.
 */
onPage(() => {
  const list = document.querySelector<HTMLElement>('[data-schedule]')
  const status = document.querySelector<HTMLElement>('[data-schedule-status]')
  const keys = document.querySelector<HTMLElement>('[data-schedule-keys]')
  const items = [...(list?.querySelectorAll<HTMLAnchorElement>('a[data-movable]') ?? [])]
  // A view as a student has no hint: nothing can be moved there.
  if (!list || !status || !keys || items.length === 0) return undefined
  keys.hidden = false
  const controller = new AbortController()
  watchDrag(list, items, controller.signal)
  watchKeys(list, status, controller.signal)
  return () => controller.abort()
})

function watchDrag(list: HTMLElement, items: readonly HTMLAnchorElement[], signal: AbortSignal): void {
  let dragged: HTMLAnchorElement | null = null
  for (const item of items) item.draggable = true
  const mark = (day: HTMLElement | null) => {
    for (const other of list.querySelectorAll('.schedule-target')) other.classList.remove('schedule-target')
    day?.classList.add('schedule-target')
  }
  list.addEventListener(
    'dragstart',
    (event) => {
      dragged = movableOf(event.target)
    },
    { signal },
  )
  list.addEventListener(
    'dragover',
    (event) => {
      const day = dropDay(event.target)
      if (!dragged || !day) return
      event.preventDefault()
      mark(day)
    },
    { signal },
  )
  list.addEventListener(
    'drop',
    (event) => {
      const day = dropDay(event.target)?.dataset.day
      if (!dragged || !day) return
      event.preventDefault()
      openMove(dragged, day)
    },
    { signal },
  )
  list.addEventListener(
    'dragend',
    () => {
      dragged = null
      mark(null)
    },
    { signal },
  )
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

function watchKeys(list: HTMLElement, status: HTMLElement, signal: AbortSignal): void {
  let picked: { item: HTMLAnchorElement; day: string } | null = null
  const release = () => {
    picked?.item.classList.remove('schedule-picked')
    picked = null
    status.textContent = ''
    status.classList.add('sr-only')
  }
  const pick = (item: HTMLAnchorElement, days: number) => {
    const from = picked?.item === item ? picked.day : dropDay(item)?.dataset.day
    if (!from) return
    if (picked?.item !== item) release()
    picked = { item, day: new Date(Date.parse(`${from}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10) }
    item.classList.add('schedule-picked')
    status.classList.remove('sr-only')
    status.textContent = announceMove(status, picked)
  }
  list.addEventListener(
    'keydown',
    (event) => {
      const item = movableOf(event.target)
      const step = STEPS[event.key]
      if (item && step && event.altKey) {
        event.preventDefault()
        pick(item, step)
      } else if (event.key === 'Escape') release()
      else if (event.key === 'Enter' && picked && picked.item === item) {
        event.preventDefault()
        openMove(picked.item, picked.day)
      }
    },
    { signal },
  )
  list.addEventListener('focusout', release, { signal })
}

function announceMove(status: HTMLElement, { item, day }: { item: HTMLAnchorElement; day: string }): string {
  const title = item.querySelector('.schedule-title')?.textContent ?? ''
  const format = new Intl.DateTimeFormat(document.documentElement.lang, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  })
  return (status.dataset.pattern ?? '')
    .replace('%title%', title)
    .replace('%day%', format.format(new Date(`${day}T00:00:00Z`)))
}

/** The page on which a move is confirmed. The item keeps the local time that it shows. */
function openMove(item: HTMLAnchorElement, day: string): void {
  const url = new URL(item.href)
  if (url.searchParams.get('day') === day) return
  const time = item.dataset.time ?? ''
  url.searchParams.set('panel', 'move')
  url.searchParams.set('to', `${day}T${time}`)
  location.assign(url)
}

const movableOf = (target: EventTarget | null): HTMLAnchorElement | null =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[data-movable]') : null

const dropDay = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-day]') : null
