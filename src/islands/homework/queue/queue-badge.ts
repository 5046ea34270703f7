import { onPage, runWhenIdle } from '#islands/stores/page.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'
import { COUNT_LIMIT } from '#lib/homework/review/rules.ts'

/*
 * The number of waiting submissions in the menu. Fetched when the page is idle, at most once a minute, because pages of
 * the cabinet replace each other in one document.
 */
const FRESH_MS = MINUTE_MS
const IDLE_TIMEOUT_MS = 3000

let counts: { toCheck: number; overdue: number } | null = null
let fetchedAt = 0

onPage(() => {
  renderBadge()
  if (Date.now() - fetchedAt < FRESH_MS) return undefined
  runWhenIdle(() => void fetchCounts(), IDLE_TIMEOUT_MS)
  return undefined
})

async function fetchCounts(): Promise<void> {
  fetchedAt = Date.now()
  // A failed request is not reported to the user.
  const answer = await fetch('/v1/module/homework/countQueue', { headers: { accept: 'application/json' } }).catch(
    () => null,
  )
  if (!answer?.ok) return
  counts = await answer.json()
  renderBadge()
}

function renderBadge(): void {
  if (!counts) return
  const template = document.querySelector<HTMLElement>('[data-cabinet]')?.dataset.homeworkWaiting ?? ''
  const count = counts.toCheck >= COUNT_LIMIT ? `${COUNT_LIMIT - 1}+` : String(counts.toCheck)
  for (const link of document.querySelectorAll<HTMLElement>('.menu-link[href="/homework"]')) {
    link.querySelector('.menu-count')?.remove()
    if (counts.toCheck === 0) continue
    const badge = document.createElement('span')
    badge.className = 'menu-count tabular'
    badge.dataset.late = String(counts.overdue > 0)
    badge.textContent = count
    const hidden = document.createElement('span')
    hidden.className = 'sr-only'
    hidden.textContent = ` ${template}`
    badge.append(hidden)
    link.append(badge)
  }
}
