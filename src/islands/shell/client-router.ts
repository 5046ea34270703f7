import type { TransitionBeforePreparationEvent, TransitionBeforeSwapEvent } from 'astro:transitions/client'
import { clearFailure } from '#islands/stores/failure.ts'
import { cacheLessonPage, clearCachedPages, findCachedPage, isLessonPage } from '#islands/stores/lesson-cache.ts'
import { showFailure } from '#islands/stores/notice.ts'
import { finishBeforeLeaving } from '#islands/stores/page.ts'
import { keepScriptStyles, preloadAssets } from './page-assets.ts'

/*
 * What the cabinet asks of Astro's client router beyond its own manners: a page of another frame, language or build
 * loads whole; a form that cannot be sent keeps what was typed; nothing moves; the focus goes to the new page's heading.
 */
type Preparation = TransitionBeforePreparationEvent

const SESSION = '/v1/module/user/getSessionInfo'

// Files and doors are no pages: they are neither fetched first nor posted behind the scenes.
document.addEventListener('click', (event) => optOut(event, 'a[href]', 'href'), true)
document.addEventListener('submit', (event) => optOut(event, 'form', 'action'), true)

document.addEventListener('astro:before-preparation', (event) => {
  const preparation = event as Preparation
  document.documentElement.dataset.going = ''
  preparation.loader = async () => {
    await finishBeforeLeaving()
    if ((await load(preparation)) === 'stay') await stay()
  }
})

let menuScroll = 0
document.addEventListener('astro:before-swap', (event) => {
  menuScroll = menu()?.scrollTop ?? 0
  const { viewTransition, newDocument } = event as TransitionBeforeSwapEvent
  keepScriptStyles(newDocument)
  viewTransition.ready.catch(() => undefined)
  viewTransition.skipTransition()
})

document.addEventListener('astro:after-swap', () => {
  clearFailure()
  menu()?.scrollTo({ top: menuScroll })
  focusPage()
})

function optOut(event: Event, selector: string, attribute: string): void {
  const element = event.target instanceof Element ? event.target.closest<HTMLElement>(selector) : null
  const address = element?.getAttribute(attribute)
  if (element && address && new URL(address, location.href).pathname.startsWith('/v1/'))
    element.dataset.astroReload = ''
}

/** Fetches the next page into the event. `stay`: it cannot be had, and this page is better than none. */
async function load(event: Preparation): Promise<'swap' | 'stay'> {
  const response = await ask(event).catch(() => null)
  if (event.signal.aborted) return 'swap'
  if (!response) return explain(event)
  if (!response.headers.get('content-type')?.startsWith('text/html')) {
    void response.body?.cancel()
    event.preventDefault()
    return 'swap'
  }
  const next = new DOMParser().parseFromString(await response.text(), 'text/html')
  if (!isAlike(next)) {
    if (!event.formData) {
      event.preventDefault()
      return 'swap'
    }
    if (response.redirected) {
      // What a form has done is not done twice: only where it led to is loaded. At the door it has done nothing.
      if (new URL(response.url).pathname === '/login') showFailure(said().signedOut)
      else location.assign(response.url)
      return 'stay'
    }
  }
  if (response.redirected) {
    const { hash } = event.to
    event.to = new URL(response.url)
    event.to.hash = hash
  }
  for (const noscript of next.querySelectorAll('noscript')) noscript.remove()
  event.newDocument = next
  await preloadAssets(next)
  return 'swap'
}

function ask({ to, signal, formData, sourceElement }: Preparation): Promise<Response> {
  const headers = { accept: 'text/html' }
  if (!formData) return fetchPage(to.href, { signal, headers })
  const form =
    sourceElement?.closest('form') ?? (sourceElement instanceof HTMLButtonElement ? sourceElement.form : null)
  const body = form?.enctype === 'multipart/form-data' ? formData : new URLSearchParams(texts(formData))
  return fetch(to.href, { method: 'POST', signal, headers, body })
}

/** A lesson that was opened before can be had without a network too, but never instead of the sign-in page. */
async function fetchPage(href: string, init: RequestInit): Promise<Response> {
  try {
    const answer = await fetch(href, init)
    if (isLessonPage(href)) void cacheLessonPage(href, answer.clone()).catch(() => undefined)
    return answer
  } catch (error) {
    const kept = init.signal?.aborted ? undefined : await findCachedPage(href)
    const session = kept && (await fetch(SESSION).catch(() => null))
    if (session?.status === 401) void clearCachedPages()
    if (!kept || session) throw error
    return kept
  }
}

const texts = (data: FormData): string[][] =>
  [...data].map(([name, value]) => [name, typeof value === 'string' ? value : value.name])

/** Of one frame, one language and one build: whatever else would carry on with the wrong words, styles or policy. */
function isAlike(next: Document): boolean {
  const build = (page: Document) => page.querySelector<HTMLMetaElement>('meta[name="build"]')?.content
  const cabinet = next.querySelector('meta[name="astro-view-transitions-enabled"]')
  return (
    cabinet !== null && next.documentElement.lang === document.documentElement.lang && build(next) === build(document)
  )
}

/** A page that did not come: without a network we stay; signed out or on another host it has to be loaded whole. */
async function explain(event: Preparation): Promise<'swap' | 'stay'> {
  const posted = event.formData !== undefined
  const session = await fetch(SESSION).catch(() => null)
  if (session && (!posted || session.status !== 401)) event.preventDefault()
  else if (event.navigationType === 'traverse') event.preventDefault()
  else {
    showFailure(session ? said().signedOut : said().unreachable)
    return 'stay'
  }
  return 'swap'
}

/** The router has no word for staying: it waits for a page that does not come, until the next is asked for. */
function stay(): Promise<never> {
  delete document.documentElement.dataset.going
  return new Promise(() => undefined)
}

/** Where a whole load would put the keyboard: the field that waits for it, what was refused, or the heading. */
function focusPage(): void {
  if (location.hash || document.activeElement?.closest('[data-astro-transition-persist]')) return
  const main = document.querySelector<HTMLElement>('#content')
  const field =
    main?.querySelector<HTMLElement>('[aria-invalid=true]') ?? main?.querySelector<HTMLElement>('[autofocus]')
  const heading = main?.querySelector<HTMLElement>('h1')
  if (heading) heading.tabIndex = -1
  const place = field ?? heading ?? main
  place?.focus({ preventScroll: place !== field })
}

const said = () => document.querySelector<HTMLElement>('[data-cabinet]')?.dataset ?? {}

const menu = () => document.querySelector<HTMLElement>('.cabinet-menu nav')
