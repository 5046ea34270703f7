/*
 * Client-side navigation in the cabinet keeps the document, so that uploads and the live stream continue. A script runs
 * once a document, not once a page; `onPage` runs its code for every page.
 */

type Cleanup = () => void

/**
 * Runs `setup` for the current page and for each page after it. The function that it returns is called before the page is
 * replaced. A page is identified by its body, which the router replaces, so `setup` runs once a page.
 */
export function onPage(setup: () => Cleanup | undefined): void {
  let currentBody: HTMLElement | null = null
  let cleanup: Cleanup | undefined
  const setUpPage = () => {
    if (currentBody === document.body) return
    currentBody = document.body
    cleanup = setup()
  }
  document.addEventListener('astro:before-swap', () => {
    cleanup?.()
    cleanup = undefined
  })
  document.addEventListener('astro:after-swap', setUpPage)
  setUpPage()
}

const leaveHandlers = new Set<() => Promise<unknown>>()

/** Runs a function before the next page is requested, e.g. to save a draft. Returns a function that unsubscribes. */
export function runBeforeLeaving(run: () => Promise<unknown>): Cleanup {
  leaveHandlers.add(run)
  return () => leaveHandlers.delete(run)
}

const LEAVE_TIMEOUT_MS = 1500

/** Runs the functions of `runBeforeLeaving` and waits for them, at most 1.5 s. */
export async function finishBeforeLeaving(): Promise<void> {
  const timeout = new Promise((resolve) => setTimeout(resolve, LEAVE_TIMEOUT_MS))
  await Promise.race([Promise.allSettled([...leaveHandlers].map((run) => run())), timeout])
}

/** Navigates as a click on a link would, client-side within the cabinet. The URL of the current page reloads it. */
export function navigateTo(href: string): void {
  const link = document.createElement('a')
  link.href = href
  if (link.href === location.href) link.dataset.astroHistory = 'replace'
  link.hidden = true
  document.body.append(link)
  link.click()
  link.remove()
}

/** Loads this page again from the server. */
export const refreshPage = (): void => navigateTo(location.pathname + location.search)

/**
 * Runs a task when the browser is idle, at the latest after `timeoutMs`. Safari has no `requestIdleCallback`: there it runs
 * after half a second.
 */
export function runWhenIdle(task: () => void, timeoutMs?: number): void {
  if (!window.requestIdleCallback) setTimeout(task, IDLE_FALLBACK_MS)
  else window.requestIdleCallback(task, timeoutMs === undefined ? undefined : { timeout: timeoutMs })
}

const IDLE_FALLBACK_MS = 500
