import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import type { CompletionRule, WatchedRanges } from '#lib/course/schema.ts'

/** Data of a lesson page for its scripts. */
export interface LessonPageProps {
  lessonId: string
  courseId: string
  title: string
  /** Membership id: data on this device is stored by person. */
  owner: string
  mode: CompletionRule['mode']
  /** Required percentage of each media file. */
  percent: number
  done: boolean
  watched: WatchedRanges
  /** Seconds by media file; null until measured. */
  videos: Record<string, number | null>
  note: { text: string; version: number }
  locale: Locale
  timeZone: string
  strings: Strings
}
