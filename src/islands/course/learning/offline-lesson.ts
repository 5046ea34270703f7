import { cacheLessonPage } from '#islands/stores/lesson-cache.ts'
import { refreshPage } from '#islands/stores/page.ts'
import { localeTag } from '#lib/core/shared/locale.ts'
import { createTranslator, type Translate } from '#lib/core/shared/text/strings.ts'
import { cacheAssets } from './cache-assets.ts'
import type { LessonPageProps } from './lesson-page-props.ts'

/** Caches the lesson for offline reading and shows whether the page is offline. */
export function bindOffline(container: HTMLElement, view: LessonPageProps): () => void {
  const t = createTranslator(view.strings, view.locale)
  const cachedAt = document.querySelector<HTMLMetaElement>('meta[name="cached-at"]')?.content
  const bar = container.querySelector<HTMLElement>('[data-offline]')
  const status = bar?.querySelector<HTMLElement>('[data-offline-words]')
  const refresh = bar?.querySelector<HTMLButtonElement>('button')
  const renderStatus = () => {
    if (!bar || !status || !refresh) return
    const online = navigator.onLine
    bar.hidden = online && !cachedAt
    refresh.hidden = !online
    status.textContent =
      cachedAt && !online
        ? describeCacheTime(cachedAt, t, view)
        : t(online ? 'study:offline.back' : 'study:offline.here')
    // A connection without internet access counts as online.
    if (cachedAt && online) status.textContent = `${describeCacheTime(cachedAt, t, view)}. ${t('study:offline.back')}`
  }
  renderStatus()
  refresh?.addEventListener('click', refreshPage)
  window.addEventListener('online', renderStatus)
  window.addEventListener('offline', renderStatus)
  if (!cachedAt) void cacheLesson()
  return () => {
    window.removeEventListener('online', renderStatus)
    window.removeEventListener('offline', renderStatus)
  }
}

let registered: Promise<unknown> | undefined

async function cacheLesson(): Promise<void> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  const href = location.href
  const worker = navigator.serviceWorker.controller
  registered ??= navigator.serviceWorker.register('/study-worker.js', { scope: '/course/lesson/' })
  await registered.catch(() => undefined)
  // The service worker caches the pages that it serves; pages of client-side navigation are cached by the router.
  const [entry] = performance.getEntriesByType('navigation')
  if (!worker && entry?.name === href)
    await fetch(href).then(
      (response) => cacheLessonPage(href, response),
      () => undefined,
    )
  await cacheAssets()
}

function describeCacheTime(cachedAt: string, t: Translate, { locale, timeZone }: LessonPageProps): string {
  const date = new Date(cachedAt)
  const time = new Intl.DateTimeFormat(localeTag(locale), {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(date)
  const day = new Intl.DateTimeFormat(localeTag(locale), { day: 'numeric', month: 'long', timeZone })
  const today = day.format(date) === day.format(new Date())
  return today ? t('study:offline.reading', { time }) : t('study:offline.readingDay', { day: day.format(date), time })
}
