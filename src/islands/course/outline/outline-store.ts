import { api } from '#islands/stores/api.ts'
import { subscribe } from '#islands/stores/live.ts'
import { showNotice } from '#islands/stores/notice.ts'
import { navigateTo, refreshPage } from '#islands/stores/page.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { LessonSettingsChange, ModuleChange, OutlineModule } from '#lib/course/outline/schema.ts'
import { $lessonUpdate } from './lesson-update.ts'
import { createOutlineQueue, type OutlineQueue, QUIET } from './outline-queue.ts'
import {
  changeLessonsInOutline,
  changeModuleInOutline,
  findStep,
  lessonsOf,
  moveLessons,
  moveModuleInOutline,
  type OutlineProps,
  removeLessons,
} from './outline-view.ts'
import { refreshPublishPanel } from './publish-panel.ts'

export type OutlineStore = ReturnType<typeof createOutline>

/** State of a course outline and all actions of the author. */
export function createOutline({ courseId, modules, current }: OutlineProps, t: Translate) {
  const queue = createOutlineQueue(courseId, modules, t)
  const context: StoreContext = { courseId, current, queue, t }
  return {
    $modules: queue.$modules,
    undo: queue.undo,
    ...moveActions(context),
    ...changeActions(context),
    ...deleteActions(context),
    ...addActions(context),
    /** Subscribes to changes by others and by the lesson's editor; returns a function that stops it. */
    open: (): (() => void) => {
      const cleanups = [
        queue.open(),
        subscribe(`outline:${courseId}`, queue.handleChange, queue.reload),
        $lessonUpdate.listen((update) => {
          const shown = lessonsOf(queue.$modules.get()).find(({ id }) => id === update?.lessonId)
          if (!update || !shown) return
          const { lessonId, title = shown.title, words } = update
          const state = shown.state === 'published' ? 'changed' : shown.state
          queue.$modules.set(changeLessonsInOutline(queue.$modules.get(), [lessonId], { title, state, words }))
        }),
        queue.$modules.listen((modules, before = []) => {
          if (contentKey(modules) !== contentKey(before)) queue.afterChanges(refreshPublishPanel)
        }),
      ]
      return () => {
        for (const end of cleanups) end()
      }
    },
  }
}

/** What the publication checks of a course read from its outline. */
const contentKey = (modules: readonly OutlineModule[]): string =>
  lessonsOf(modules)
    .map(({ id, words }) => `${id} ${words > 0}`)
    .toSorted()
    .join()

interface StoreContext {
  courseId: string
  current: string | null
  queue: OutlineQueue
  t: Translate
}

const countOf = (ids: readonly string[]) => ({ count: ids.length })
const moduleTitle = ({ queue }: StoreContext, moduleId: string) =>
  queue.$modules.get().find(({ id }) => id === moduleId)?.title ?? ''

function moveActions(context: StoreContext) {
  const { courseId, queue, t } = context
  const place = (lessonIds: string[], moduleId: string, beforeId: string | null): void => {
    const before = queue.$modules.get()
    const next = moveLessons(before, lessonIds, moduleId, beforeId)
    if (next.every(({ lessons }, at) => lessons.every(({ id }, n) => before[at]?.lessons[n]?.id === id))) return
    const send = () => api.course.placeLessons({ courseId, lessonIds, moduleId, beforeId }, QUIET)
    void queue.runChange(next, send, t('outline:notice.moved', countOf(lessonIds)))
  }
  const placeModule = (moduleId: string, beforeId: string | null): void => {
    const before = queue.$modules.get()
    const next = moveModuleInOutline(before, moduleId, beforeId)
    if (next.every(({ id }, at) => before[at]?.id === id)) return
    const message = t('outline:notice.movedModule', { title: moduleTitle(context, moduleId) })
    void queue.runChange(next, () => api.course.placeModule({ moduleId, beforeId }, QUIET), message)
  }
  return {
    place,
    placeModule,
    step: (lessonIds: string[], by: -1 | 1): void => {
      const to = findStep(queue.$modules.get(), lessonIds, by)
      if (to) place(lessonIds, to.moduleId, to.beforeId)
    },
    stepModule: (moduleId: string, by: -1 | 1): void => {
      const ids = queue.$modules.get().map(({ id }) => id)
      const at = ids.indexOf(moduleId)
      if (ids[at + by] !== undefined) placeModule(moduleId, (by === -1 ? ids[at - 1] : ids[at + 2]) ?? null)
    },
  }
}

function changeActions({ courseId, current, queue, t }: StoreContext) {
  return {
    change: (lessonIds: string[], change: LessonSettingsChange, message: string) => {
      const send = () => api.course.changeLessons({ courseId, lessonIds, change }, QUIET)
      return queue.runChange(changeLessonsInOutline(queue.$modules.get(), lessonIds, change), send, message)
    },
    changeModule: async (moduleId: string, change: ModuleChange, message: string) => {
      const module = queue.$modules.get().find(({ id }) => id === moduleId)
      if (!module) return null
      const { title, description } = module
      const send = () => api.course.changeModule({ moduleId, change, previous: { title, description } }, QUIET)
      return queue.runChange(changeModuleInOutline(queue.$modules.get(), moduleId, change), send, message)
    },
    rename: async (lessonId: string, title: string) => {
      const lesson = lessonsOf(queue.$modules.get()).find(({ id }) => id === lessonId)
      if (!lesson || lesson.title === title) return
      const state = lesson.state === 'published' ? 'changed' : lesson.state
      const send = () => api.course.renameLesson({ lessonId, title, previousTitle: lesson.title }, QUIET)
      const next = changeLessonsInOutline(queue.$modules.get(), [lessonId], { title, state })
      const result = await queue.runChange(next, send, t('outline:notice.renamed', { title }))
      if (result && lessonId === current) refreshUnlessWriting()
    },
    publish: async (lessonIds: string[]) => {
      const all = lessonsOf(queue.$modules.get())
      const full = all.filter(({ id, words }) => lessonIds.includes(id) && words > 0).map(({ id }) => id)
      const next = changeLessonsInOutline(queue.$modules.get(), full, { state: 'published', hidden: false })
      const send = () => api.course.publishLessons({ courseId, lessonIds }, QUIET)
      const result = await queue.runChange(next, send, ({ changed }) => t('outline:notice.published', countOf(changed)))
      if (!result) return
      if (result.empty.length > 0) showNotice('info', t('outline:notice.empty', countOf(result.empty)))
      else if (!result.changeId) showNotice('info', t('outline:notice.upToDate'))
      if (current && result.changed.includes(current)) refreshUnlessWriting()
    },
  }
}

function deleteActions(context: StoreContext) {
  const { courseId, current, queue, t } = context
  return {
    remove: async (lessonIds: string[]) => {
      const send = () => api.course.deleteLessons({ courseId, lessonIds }, QUIET)
      const message = t('outline:notice.deleted', countOf(lessonIds))
      const result = await queue.runChange(removeLessons(queue.$modules.get(), lessonIds), send, message)
      // The open lesson was deleted, and its editor with it.
      if (result && current && lessonIds.includes(current)) navigateTo(`/course/edit/${courseId}`)
    },
    removeModule: async (moduleId: string) => {
      const before = queue.$modules.get()
      const showsCurrent = before.find(({ id }) => id === moduleId)?.lessons.some(({ id }) => id === current)
      const message = t('outline:notice.deletedModule', { title: moduleTitle(context, moduleId) })
      const next = before.filter(({ id }) => id !== moduleId)
      const result = await queue.runChange(next, () => api.course.deleteModule({ moduleId }, QUIET), message)
      if (result && showsCurrent) navigateTo(`/course/edit/${courseId}`)
    },
  }
}

function addActions(context: StoreContext) {
  const { courseId, queue, t } = context
  return {
    /** Resolves to whether they were added; until then the typed titles stay. */
    add: async (moduleId: string, titles: string[]): Promise<boolean> => {
      const send = () => api.course.addLessons({ moduleId, titles }, QUIET)
      const result = await queue.runChange(null, send, t('outline:notice.added', countOf(titles)))
      if (!result) return false
      const first = lessonsOf(queue.$modules.get()).length === 0 ? result.lessonIds[0] : undefined
      if (first) navigateTo(`/course/edit/${courseId}?lesson=${first}`)
      else queue.reload()
      return true
    },
    addModule: async (title: string): Promise<boolean> => {
      const send = () => api.course.addModule({ courseId, title }, QUIET)
      const result = await queue.runChange(null, send, t('outline:notice.addedModule', { title }))
      if (result) queue.reload()
      return result !== null
    },
    duplicate: async (lessonIds: string[]) => {
      const send = () => api.course.duplicateLessons({ courseId, lessonIds }, QUIET)
      if (await queue.runChange(null, send, t('outline:notice.duplicated', countOf(lessonIds)))) queue.reload()
    },
    duplicateModule: async (moduleId: string) => {
      const message = t('outline:notice.duplicatedModule', { title: moduleTitle(context, moduleId) })
      if (await queue.runChange(null, () => api.course.duplicateModule({ moduleId }, QUIET), message)) queue.reload()
    },
  }
}

/** Refreshes the page unless a lesson is being edited. */
function refreshUnlessWriting(): void {
  if (!document.querySelector('#lesson-editor [contenteditable=true]')) refreshPage()
}
