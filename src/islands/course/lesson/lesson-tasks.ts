import type { LessonActions } from '#islands/editor/editor-context.ts'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'

const quiet = { context: { isQuiet: true } }

/**
 * Actions of lesson blocks in the homework and storage modules. The task panel listens to `task:open`, the caption
 * dialog to `captions:open`.
 */
export function createLessonActions(lessonId: string): LessonActions {
  return {
    createTask: async () => (await api.homework.addTask({ lessonId })).taskId,
    findTask: async (taskId) => {
      try {
        return await api.homework.findTask({ taskId }, quiet)
      } catch (error) {
        if (CallError.from(error).status === 404) return null
        throw error
      }
    },
    openTask: (taskId) => document.dispatchEvent(new CustomEvent('task:open', { detail: { taskId } })),
    openCaptions: (file) => document.dispatchEvent(new CustomEvent('captions:open', { detail: file })),
  }
}
