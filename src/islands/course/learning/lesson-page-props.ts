import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import type { CompletionRule, WatchedRanges } from '#lib/course/schema.ts'

/** What the page of a lesson tells its scripts. */
export interface LessonPageProps {
  lessonId: string
  courseId: string
  title: string
  /** The membership: what is kept on this device is kept by person. */
  owner: string
  mode: CompletionRule['mode']
  /** Of each film that has to be watched. */
  percent: number
  done: boolean
  watched: WatchedRanges
  /** Seconds by film; null where the school has not measured it. */
  films: Record<string, number | null>
  note: { text: string; version: number }
  locale: Locale
  timeZone: string
  strings: Strings
}
