import { keepPage } from '#islands/stores/kept-page.ts'
import { refreshPage } from '#islands/stores/page.ts'
import { type Say, speak } from '#lib/core/shared/text/strings.ts'
import { keepAssets } from './study-assets.ts'
import type { StudyView } from './study-view.ts'

/** Keeps this lesson for reading without a network, and says whether it is read so now. */
export function followNetwork(place: HTMLElement, view: StudyView): () => void {
  const say = speak(view.strings, view.locale)
  const keptAt = document.querySelector<HTMLMetaElement>('meta[name="kept"]')?.content
  const bar = place.querySelector<HTMLElement>('[data-offline]')
  const line = bar?.querySelector<HTMLElement>('[data-offline-words]')
  const refresh = bar?.querySelector<HTMLButtonElement>('button')
  const draw = () => {
    if (!bar || !line || !refresh) return
    const online = navigator.onLine
    bar.hidden = online && !keptAt
    refresh.hidden = !online
    line.textContent =
      keptAt && !online ? saidOf(keptAt, say, view) : say(online ? 'study:offline.back' : 'study:offline.here')
    // Some networks are there and lead nowhere.
    if (keptAt && online) line.textContent = `${saidOf(keptAt, say, view)}. ${say('study:offline.back')}`
  }
  draw()
  refresh?.addEventListener('click', refreshPage)
  window.addEventListener('online', draw)
  window.addEventListener('offline', draw)
  if (!keptAt) void keep()
  return () => {
    window.removeEventListener('online', draw)
    window.removeEventListener('offline', draw)
  }
}

let registered: Promise<unknown> | undefined

async function keep(): Promise<void> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return
  const href = location.href
  const worker = navigator.serviceWorker.controller
  registered ??= navigator.serviceWorker.register('/study-worker.js', { scope: '/course/lesson/' })
  await registered.catch(() => undefined)
  // The worker has kept a page that it gave out itself; one that came by a soft step is kept by that step.
  const [entry] = performance.getEntriesByType('navigation')
  if (!worker && entry?.name === href)
    await fetch(href).then(
      (answer) => keepPage(href, answer),
      () => undefined,
    )
  await keepAssets()
}

function saidOf(keptAt: string, say: Say, { locale, timeZone }: StudyView): string {
  const at = new Date(keptAt)
  const time = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone,
  }).format(at)
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', timeZone })
  const today = day.format(at) === day.format(new Date())
  return today ? say('study:offline.reading', { time }) : say('study:offline.readingDay', { day: day.format(at), time })
}
