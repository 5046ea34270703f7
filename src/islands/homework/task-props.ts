import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import type { TaskText } from '#lib/homework/task/schema.ts'

/** A task as the page passes it. */
export interface TaskProps extends TaskText {
  id: string
  version: number
  files: { id: string; name: string; size: number }[]
}

export interface TaskPanelProps {
  lessonId: string
  tasks: TaskProps[]
  /** Membership id: drafts are stored per member. */
  owner: string
  /** Time zone of due dates. */
  zone: string
  locale: Locale
  strings: Strings
}

/** The edited fields of a task. */
export function toTaskText(task: TaskProps): TaskText {
  const { id: _, version: _1, files: _2, ...text } = task
  return text
}
