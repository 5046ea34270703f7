/*
 * Pages of the cabinet take each other's place in one document, so that uploads and the live stream go on. A script is
 * run once in a document and not once a page: what it does to a page it does here.
 */

type End = () => void

/**
 * Runs `begin` for the page that is shown, and again for each that takes its place. What it gives back is called before
 * the page leaves. A page is known by its body, which the router changes; so nothing begins twice.
 */
export function onPage(begin: () => End | undefined): void {
  let shown: HTMLElement | null = null
  let end: End | undefined
  const look = () => {
    if (shown === document.body) return
    shown = document.body
    end = begin()
  }
  document.addEventListener('astro:before-swap', () => {
    end?.()
    end = undefined
  })
  document.addEventListener('astro:after-swap', look)
  look()
}

const lastWords = new Set<() => Promise<unknown>>()

/** Has `run` finish before the next page is asked for, e.g. to save what is typed. Answers how to call it off. */
export function runBeforeLeaving(run: () => Promise<unknown>): End {
  lastWords.add(run)
  return () => lastWords.delete(run)
}

const PATIENCE_MILLISECONDS = 1500

/** Waits for all that wants to be done before the page leaves, but not for a network that is gone. */
export async function finishBeforeLeaving(): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MILLISECONDS))
  await Promise.race([Promise.allSettled([...lastWords].map((run) => run())), late])
}

/** Goes where a click on such a link would lead: softly between pages of the cabinet. To the page itself: draws it anew. */
export function navigateTo(href: string): void {
  const link = document.createElement('a')
  link.href = href
  if (link.href === location.href) link.dataset.astroHistory = 'replace'
  link.hidden = true
  document.body.append(link)
  link.click()
  link.remove()
}

/** Draws this page anew from the server. */
export const refreshPage = (): void => navigateTo(location.pathname + location.search)
