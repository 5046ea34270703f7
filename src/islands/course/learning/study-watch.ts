import { api } from '#islands/stores/api.ts'
import { clampRanges, mergeRanges, secondsOf, shareOf } from '#lib/course/learning/watch-rules.ts'
import type { WatchedRanges } from '#lib/course/schema.ts'
import { keepWatched, waitingOf } from './study-queue.ts'
import type { StudyView } from './study-view.ts'

const LOOK_MS = 1000
const EARS = ['timeupdate', 'pause', 'seeking', 'ended'] as const

interface Watching {
  /** Of the film that is furthest from its share, 0 to 1. */
  least(): number
  stop(): void
}

/**
 * Writes down which seconds of the page's films were played. The browser itself knows (`played`); what it says is
 * merged, so it may say it again, and forget it when a source changes. `grown` is told whenever there is more.
 */
export function watchFilms(
  place: HTMLElement,
  view: StudyView,
  told: { grown: () => void; ended: (media: HTMLMediaElement) => void },
): Watching {
  const films = new Map(Object.keys(view.films).map((id) => [id, mergeRanges(view.watched[id] ?? [])]))
  const durations: Record<string, number> = {}
  let unsent: WatchedRanges = {}
  let looked = 0

  const note = (media: HTMLMediaElement) => {
    const fileId = fileOf(media)
    const before = fileId && films.get(fileId)
    if (!fileId || !before) return
    const length = view.films[fileId] ?? (Number.isFinite(media.duration) ? media.duration : null)
    if (length !== null && view.films[fileId] === null) durations[fileId] = length
    const after = mergeRanges(before, clampRanges(playedOf(media), length))
    if (secondsOf(after) <= secondsOf(before)) return
    films.set(fileId, after)
    unsent = { ...unsent, [fileId]: after }
    void keepWatched(view.owner, view.lessonId, { [fileId]: after }, durations)
    told.grown()
  }
  // Media events do not bubble, but they can be caught on their way down: the player may change its element as it likes.
  const hear = (event: Event) => {
    const media = event.target
    if (!(media instanceof HTMLMediaElement)) return
    const now = Date.now()
    if (event.type === 'timeupdate' && now - looked < LOOK_MS) return
    looked = now
    note(media)
    if (event.type === 'ended') told.ended(media)
  }
  // Nothing that has to wait first would be done: the page goes.
  const leave = () => {
    for (const media of place.querySelectorAll<HTMLMediaElement>('video, audio')) note(media)
    if (Object.keys(unsent).length === 0) return
    const report = { lessonId: view.lessonId, watched: unsent, durations }
    unsent = {}
    api.course.saveWatched(report, { context: { quiet: true, leaving: true } }).catch(() => {})
  }

  const hide = () => document.visibilityState === 'hidden' && leave()

  for (const ear of EARS) place.addEventListener(ear, hear, true)
  document.addEventListener('visibilitychange', hide)
  window.addEventListener('pagehide', leave)
  void waitingOf(view.owner, view.lessonId).then((waiting) => {
    for (const [fileId, ranges] of Object.entries(waiting?.watched ?? {})) {
      const known = films.get(fileId)
      if (known) films.set(fileId, mergeRanges(known, ranges))
    }
    if (waiting) told.grown()
  })

  return {
    least: () => {
      const shares = [...films].map(([fileId, ranges]) =>
        shareOf(ranges, view.films[fileId] ?? durations[fileId] ?? null),
      )
      return shares.length === 0 ? 0 : Math.min(...shares)
    },
    stop() {
      for (const media of place.querySelectorAll<HTMLMediaElement>('video, audio')) note(media)
      for (const ear of EARS) place.removeEventListener(ear, hear, true)
      document.removeEventListener('visibilitychange', hide)
      window.removeEventListener('pagehide', leave)
    },
  }
}

function fileOf(media: HTMLMediaElement): string | undefined {
  return media.closest<HTMLElement>('[data-film]')?.dataset.film
}

function playedOf({ played }: HTMLMediaElement): [number, number][] {
  return Array.from({ length: played.length }, (_, index) => [played.start(index), played.end(index)])
}
