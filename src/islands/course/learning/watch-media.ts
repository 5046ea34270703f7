import { api } from '#islands/stores/api.ts'
import { clampRanges, mergeRanges, watchedSeconds, watchedShare } from '#lib/course/learning/watch-rules.ts'
import type { WatchedRanges } from '#lib/course/schema.ts'
import type { LessonPageProps } from './lesson-page-props.ts'
import type { ProgressOutbox } from './progress-outbox.ts'

const SAMPLE_MS = 1000
const MEDIA_EVENTS = ['timeupdate', 'pause', 'seeking', 'ended'] as const

interface MediaWatcher {
  /** Lowest watched share of the media, 0 to 1. */
  lowestShare(): number
  stop(): void
}

/**
 * Records the played ranges of the page's media. The element's `played` ranges are merged, because they may repeat or
 * be reset with a new source. `onProgress` is called for new ranges.
 */
export function watchMedia(
  container: HTMLElement,
  view: LessonPageProps,
  outbox: ProgressOutbox,
  callbacks: { onProgress: () => void; ended: (media: HTMLMediaElement) => void },
): MediaWatcher {
  const rangesByFile = new Map(Object.keys(view.videos).map((id) => [id, mergeRanges(view.watched[id] ?? [])]))
  const durations: Record<string, number> = {}
  let unsent: WatchedRanges = {}
  let lastSampleMs = 0

  const recordPlayed = (media: HTMLMediaElement) => {
    const fileId = fileOf(media)
    const before = fileId && rangesByFile.get(fileId)
    if (!fileId || !before) return
    const duration = view.videos[fileId] ?? (Number.isFinite(media.duration) ? media.duration : null)
    if (duration !== null && view.videos[fileId] === null) durations[fileId] = duration
    const after = mergeRanges(before, clampRanges(playedRanges(media), duration))
    if (watchedSeconds(after) <= watchedSeconds(before)) return
    rangesByFile.set(fileId, after)
    unsent = { ...unsent, [fileId]: after }
    outbox.addWatched(view.lessonId, { [fileId]: after }, durations)
    callbacks.onProgress()
  }
  // Media events do not bubble; they are captured, because the player may replace its element.
  const onMediaEvent = (event: Event) => {
    const media = event.target
    if (!(media instanceof HTMLMediaElement)) return
    const now = Date.now()
    if (event.type === 'timeupdate' && now - lastSampleMs < SAMPLE_MS) return
    lastSampleMs = now
    recordPlayed(media)
    if (event.type === 'ended') callbacks.ended(media)
  }
  // The page is closing: only a keepalive request can be sent.
  const sendBeforeUnload = () => {
    for (const media of container.querySelectorAll<HTMLMediaElement>('video, audio')) recordPlayed(media)
    if (Object.keys(unsent).length === 0) return
    const report = { lessonId: view.lessonId, watched: unsent, durations }
    unsent = {}
    api.course.saveWatched(report, { context: { isQuiet: true, isLeaving: true } }).catch(() => {})
  }

  const onVisibilityChange = () => document.visibilityState === 'hidden' && sendBeforeUnload()

  for (const eventName of MEDIA_EVENTS) container.addEventListener(eventName, onMediaEvent, true)
  document.addEventListener('visibilitychange', onVisibilityChange)
  window.addEventListener('pagehide', sendBeforeUnload)
  void outbox.findUnsent(view.lessonId).then((unsentProgress) => {
    for (const [fileId, ranges] of Object.entries(unsentProgress?.watched ?? {})) {
      const known = rangesByFile.get(fileId)
      if (known) rangesByFile.set(fileId, mergeRanges(known, ranges))
    }
    if (unsentProgress) callbacks.onProgress()
  })

  return {
    lowestShare: () => {
      const shares = [...rangesByFile].map(([fileId, ranges]) =>
        watchedShare(ranges, view.videos[fileId] ?? durations[fileId] ?? null),
      )
      return shares.length === 0 ? 0 : Math.min(...shares)
    },
    stop() {
      for (const media of container.querySelectorAll<HTMLMediaElement>('video, audio')) recordPlayed(media)
      for (const eventName of MEDIA_EVENTS) container.removeEventListener(eventName, onMediaEvent, true)
      document.removeEventListener('visibilitychange', onVisibilityChange)
      window.removeEventListener('pagehide', sendBeforeUnload)
    },
  }
}

function fileOf(media: HTMLMediaElement): string | undefined {
  return media.closest<HTMLElement>('[data-video]')?.dataset.video
}

function playedRanges({ played }: HTMLMediaElement): [number, number][] {
  return Array.from({ length: played.length }, (_, index) => [played.start(index), played.end(index)])
}
