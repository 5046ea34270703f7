import type { LessonDesk } from '#islands/editor/desk.ts'
import type { Say } from '#lib/core/shared/strings.ts'

/** What a lesson's task blocks ask of the homework room. The panel that writes a task hears `task:open`. */
export function lessonDesk(_lessonId: string, say: Say): LessonDesk {
  return {
    createTask: () => Promise.reject(new Error(say('editor:task.failed'))),
    findTask: () => Promise.resolve(null),
    openTask: (taskId) => document.dispatchEvent(new CustomEvent('task:open', { detail: { taskId } })),
  }
}
