import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import type { TaskText } from '#lib/homework/task/schema.ts'

/** A task as the page hands it over. */
export interface TaskProps extends TaskText {
  id: string
  version: number
  files: { id: string; name: string; size: number }[]
}

export interface TaskPanelProps {
  lessonId: string
  tasks: TaskProps[]
  /** The membership's id: drafts are kept by person. */
  owner: string
  /** Days and times of terms are chosen in this zone. */
  zone: string
  locale: Locale
  strings: Strings
}

/** The fields that are typed, without what the page knows besides. */
export function toTaskText(task: TaskProps): TaskText {
  const { id: _, version: _1, files: _2, ...text } = task
  return text
}

/** A whole number that was typed, or null for an empty field; undefined for anything else. */
export function parseInteger(typed: string): number | null | undefined {
  if (typed.trim() === '') return null
  const number = Number(typed)
  return Number.isInteger(number) ? number : undefined
}
