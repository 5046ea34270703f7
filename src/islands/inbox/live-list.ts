import { subscribe } from '#islands/stores/live.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'

/** Submissions and attempts have no live event for all reviewers; their list is read again after this time. */
const REFRESH_MS = MINUTE_MS / 2
const DEBOUNCE_MS = 500

/**
 * Shows new and answered items of the list without a reload: after changes of conversations, and every half a minute while
 * the page is visible. While something is selected, or a dialog is open, the list stays as it is.
 */
export function followList(inbox: HTMLElement): () => void {
  const list = inbox.querySelector<HTMLElement>('[data-inbox-list]')
  const { owner } = inbox.dataset
  if (!list || !owner) return () => {}
  const request = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const planRefresh = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void replaceList(list, request.signal), DEBOUNCE_MS)
  }
  const stops = [subscribe(`chat:${owner}`, planRefresh, planRefresh)]
  if (list.dataset.manager !== undefined) stops.push(subscribe('chat-managers', planRefresh, planRefresh))
  const interval = setInterval(planRefresh, REFRESH_MS)
  return () => {
    request.abort()
    clearTimeout(timer)
    clearInterval(interval)
    for (const stop of stops) stop()
  }
}

async function replaceList(list: HTMLElement, signal: AbortSignal): Promise<void> {
  if (document.hidden || isInUse(list)) return
  const html = await readInboxPage(signal)
  const next = html && new DOMParser().parseFromString(html, 'text/html').querySelector('[data-inbox-list]')
  if (!next || isInUse(list) || isExtended(list, next) || next.textContent === list.textContent) return
  const focused = list.contains(document.activeElement) ? document.activeElement?.getAttribute('href') : null
  list.replaceChildren(...next.childNodes)
  if (focused) list.querySelector<HTMLElement>(`a[href="${CSS.escape(focused)}"]`)?.focus()
}

/** Replacing it would lose a selection or a typed answer. */
const isInUse = (list: HTMLElement): boolean =>
  list.querySelector('[data-select]:checked, dialog[open], details[open]') !== null

/** Replacing it would remove further pages that were added. */
const isExtended = (list: Element, next: Element): boolean =>
  next.querySelector('[rel=next]') !== null &&
  list.querySelectorAll('[data-item]').length > next.querySelectorAll('[data-item]').length

/** The page again; null without a network or a login session. */
async function readInboxPage(signal: AbortSignal): Promise<string | null> {
  try {
    const response = await fetch(location.href, { signal, headers: { accept: 'text/html' } })
    return response.ok && !response.redirected ? await response.text() : null
  } catch {
    return null
  }
}
