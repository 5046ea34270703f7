import type { LessonActions, TestChoice } from '#islands/editor/editor-context.ts'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'

interface TestRow {
  id: string
  title: string
  status: 'draft' | 'published'
  hidden: boolean
  courseId: string | null
}

const quiet = { context: { isQuiet: true } }

/** Maximum number of tests in the selection; others can be found by title in the tests tab. */
const MAX_TESTS = 100

/**
 * Actions of lesson blocks in the homework, quiz and storage modules. The task panel listens to `task:open`, the caption
 * dialog to `captions:open`.
 */
export function createLessonActions({ lessonId, courseId }: { lessonId: string; courseId: string }): LessonActions {
  const testsHref = `/course/edit/${courseId}?tab=tests`
  const toChoice = ({ id, title, status, hidden, ...test }: TestRow): TestChoice => ({
    id,
    title,
    // A block that was copied from another course may contain a test that students of this course cannot take.
    isOffered: status === 'published' && !hidden && test.courseId === courseId,
    href: `${testsHref}&quiz=${id}`,
  })
  return {
    testsHref,
    listTests: async () => (await api.quiz.list({ courseId, limit: MAX_TESTS }, quiet)).items.map(toChoice),
    findTest: async (quizId) => {
      try {
        return toChoice(await api.quiz.get({ quizId }, quiet))
      } catch (error) {
        if (CallError.from(error).status === 404) return null
        throw error
      }
    },
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
