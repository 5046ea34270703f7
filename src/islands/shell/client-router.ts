import type { TransitionBeforePreparationEvent, TransitionBeforeSwapEvent } from 'astro:transitions/client'
import { clearFailure } from '#islands/stores/failure.ts'
import { cacheLessonPage, clearCachedPages, findCachedPage, isLessonPage } from '#islands/stores/lesson-cache.ts'
import { showFailure, showNotice } from '#islands/stores/notice.ts'
import { finishBeforeLeaving } from '#islands/stores/page.ts'
import { containsFiles, type PageResponse, postFiles, UploadCanceled } from './form-upload.ts'
import { keepScriptStyles, preloadAssets } from './page-assets.ts'

/*
 * Extends Astro's client router for the cabinet: a page with another layout, language or build is loaded fully; a form that
 * cannot be sent keeps its input; there is no animation; the focus moves to the heading of the new page.
 */
type Preparation = TransitionBeforePreparationEvent

const SESSION = '/v1/module/user/getSessionInfo'

// URLs under /v1 are no pages: the router must not handle their links and forms.
document.addEventListener('click', (event) => optOut(event, 'a[href]', 'href'), true)
document.addEventListener('submit', (event) => optOut(event, 'form', 'action'), true)

document.addEventListener('astro:before-preparation', (event) => {
  const preparation = event as Preparation
  document.documentElement.dataset.going = ''
  preparation.loader = async () => {
    await finishBeforeLeaving()
    if ((await loadPage(preparation)) === 'stay') await stayOnPage()
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

/** Fetches the next page into the event. Returns `stay` when it is not available and the current page remains. */
async function loadPage(event: Preparation): Promise<'swap' | 'stay'> {
  const response = await requestPage(event).catch((error: unknown) => (error instanceof UploadCanceled ? error : null))
  if (event.signal.aborted) return 'swap'
  if (response instanceof UploadCanceled) {
    showNotice('info', messages().uploadCanceled)
    return 'stay'
  }
  if (!response) return handleFailedRequest(event)
  if (!response.contentType.startsWith('text/html')) {
    response.discard()
    return leavePage(event)
  }
  const next = new DOMParser().parseFromString(await response.readText(), 'text/html')
  if (!isSameFrame(next)) {
    if (!event.formData) {
      event.preventDefault()
      return 'swap'
    }
    if (response.isRedirected) {
      // A processed form must not be sent again: only its redirect is loaded. A redirect to /login means it was not processed.
      if (new URL(response.url).pathname === '/login') showFailure(messages().signedOut)
      else location.assign(response.url)
      return 'stay'
    }
  }
  if (response.isRedirected) {
    const { hash } = event.to
    event.to = new URL(response.url)
    event.to.hash = hash
  }
  for (const noscript of next.querySelectorAll('noscript')) noscript.remove()
  event.newDocument = next
  await preloadAssets(next)
  return 'swap'
}

async function requestPage({ to, signal, formData, sourceElement }: Preparation): Promise<PageResponse> {
  const headers = { accept: 'text/html' }
  if (!formData) return describeResponse(await fetchPage(to.href, { signal, headers }))
  const form =
    sourceElement?.closest('form') ?? (sourceElement instanceof HTMLButtonElement ? sourceElement.form : null)
  const isMultipart = form?.enctype === 'multipart/form-data'
  if (isMultipart && containsFiles(formData)) return postFiles(to.href, { form, body: formData, signal })
  const body = isMultipart ? formData : new URLSearchParams(texts(formData))
  return describeResponse(await fetch(to.href, { method: 'POST', signal, headers, body }))
}

const describeResponse = (response: Response): PageResponse => ({
  url: response.url,
  isRedirected: response.redirected,
  contentType: response.headers.get('content-type') ?? '',
  readText: () => response.text(),
  discard: () => void response.body?.cancel(),
})

/** Offline, a cached lesson is returned, but never in place of the sign-in page. */
async function fetchPage(href: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(href, init)
    if (isLessonPage(href)) void cacheLessonPage(href, response.clone()).catch(() => undefined)
    return response
  } catch (error) {
    const cached = init.signal?.aborted ? undefined : await findCachedPage(href)
    const session = cached && (await fetch(SESSION).catch(() => null))
    if (session?.status === 401) void clearCachedPages()
    if (!cached || session) throw error
    return cached
  }
}

const texts = (data: FormData): string[][] =>
  [...data].map(([name, value]) => [name, typeof value === 'string' ? value : value.name])

/** Whether a page has the same layout, language and build; otherwise texts, styles or policy would be wrong. */
function isSameFrame(next: Document): boolean {
  const build = (page: Document) => page.querySelector<HTMLMetaElement>('meta[name="build"]')?.content
  const cabinet = next.querySelector('meta[name="astro-view-transitions-enabled"]')
  return (
    cabinet !== null && next.documentElement.lang === document.documentElement.lang && build(next) === build(document)
  )
}

/** Handles a failed request: stays offline; when signed out or redirected to another host, a full load is needed. */
async function handleFailedRequest(event: Preparation): Promise<'swap' | 'stay'> {
  const isPost = event.formData !== undefined
  const session = await fetch(SESSION).catch(() => null)
  if (session && (!isPost || session.status !== 401)) return leavePage(event)
  if (event.navigationType === 'traverse') return leavePage(event)
  showFailure(
    session ? messages().signedOut : containsFiles(event.formData) ? messages().notUploaded : messages().unreachable,
  )
  return 'stay'
}

/**
 * Loads the page by the browser, except when a chosen file would be lost: then an error is shown on the current page.
 */
function leavePage(event: Preparation): 'swap' | 'stay' {
  if (containsFiles(event.formData)) {
    showFailure(messages().notUploaded)
    return 'stay'
  }
  event.preventDefault()
  return 'swap'
}

/** The router cannot stay on a page: it waits for a promise that never resolves, until the next navigation. */
function stayOnPage(): Promise<never> {
  delete document.documentElement.dataset.going
  return new Promise(() => undefined)
}

/** Sets the focus as a full load would: to an invalid or autofocus field, or to the heading. */
function focusPage(): void {
  if (location.hash || document.activeElement?.closest('[data-astro-transition-persist]')) return
  const main = document.querySelector<HTMLElement>('#content')
  const field =
    main?.querySelector<HTMLElement>('[aria-invalid=true]') ?? main?.querySelector<HTMLElement>('[autofocus]')
  const heading = main?.querySelector<HTMLElement>('h1')
  if (heading) heading.tabIndex = -1
  const target = field ?? heading ?? main
  target?.focus({ preventScroll: target !== field })
}

const messages = () => document.querySelector<HTMLElement>('[data-cabinet]')?.dataset ?? {}

const menu = () => document.querySelector<HTMLElement>('.cabinet-menu nav')
