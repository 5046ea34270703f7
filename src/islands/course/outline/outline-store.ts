import { api } from '#islands/stores/api.ts'
import { subscribe } from '#islands/stores/live.ts'
import { notify } from '#islands/stores/notice.ts'
import { goTo, refreshPage } from '#islands/stores/page.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { LessonChange, ModuleChange } from '#lib/course/outline/schema.ts'
import { createLine, type OutlineLine, QUIET } from './outline-line.ts'
import { $lessonNews } from './outline-news.ts'
import {
  lessonsOf,
  type OutlineProps,
  stepOf,
  withLessons,
  withModule,
  withModuleChange,
  without,
  withPlaced,
} from './outline-view.ts'

export type OutlineStore = ReturnType<typeof createOutline>

/** The living outline of a course: its modules as they are shown, and all that an author does to them. */
export function createOutline({ courseId, modules, current }: OutlineProps, say: Say) {
  const line = createLine(courseId, modules, say)
  const kit: Kit = { courseId, current, line, say }
  return {
    $modules: line.$modules,
    undo: line.undo,
    ...placing(kit),
    ...setting(kit),
    ...removing(kit),
    ...adding(kit),
    /** Follows what others do, and the editor beside; answers how to stop. */
    open: (): (() => void) => {
      const ends = [
        line.open(),
        subscribe(`outline:${courseId}`, line.hear, line.reload),
        $lessonNews.listen((news) => {
          if (!news) return
          const { lessonId, ...changes } = news
          line.$modules.set(withLessons(line.$modules.get(), [lessonId], changes))
        }),
      ]
      return () => {
        for (const end of ends) end()
      }
    },
  }
}

interface Kit {
  courseId: string
  current: string | null
  line: OutlineLine
  say: Say
}

const count = (ids: readonly string[]) => ({ count: ids.length })
const titleOf = ({ line }: Kit, moduleId: string) => line.$modules.get().find(({ id }) => id === moduleId)?.title ?? ''

function placing(kit: Kit) {
  const { courseId, line, say } = kit
  const place = (lessonIds: string[], moduleId: string, beforeId: string | null): void => {
    const before = line.$modules.get()
    const next = withPlaced(before, lessonIds, moduleId, beforeId)
    if (next.every(({ lessons }, at) => lessons.every(({ id }, n) => before[at]?.lessons[n]?.id === id))) return
    const ask = () => api.course.placeLessons({ courseId, lessonIds, moduleId, beforeId }, QUIET)
    void line.act(next, ask, say('outline:said.moved', count(lessonIds)))
  }
  const placeModule = (moduleId: string, beforeId: string | null): void => {
    const before = line.$modules.get()
    const next = withModule(before, moduleId, beforeId)
    if (next.every(({ id }, at) => before[at]?.id === id)) return
    const words = say('outline:said.movedModule', { title: titleOf(kit, moduleId) })
    void line.act(next, () => api.course.placeModule({ moduleId, beforeId }, QUIET), words)
  }
  return {
    place,
    placeModule,
    step: (lessonIds: string[], by: -1 | 1): void => {
      const to = stepOf(line.$modules.get(), lessonIds, by)
      if (to) place(lessonIds, to.moduleId, to.beforeId)
    },
    stepModule: (moduleId: string, by: -1 | 1): void => {
      const ids = line.$modules.get().map(({ id }) => id)
      const at = ids.indexOf(moduleId)
      if (ids[at + by] !== undefined) placeModule(moduleId, (by === -1 ? ids[at - 1] : ids[at + 2]) ?? null)
    },
  }
}

function setting({ courseId, current, line, say }: Kit) {
  return {
    change: (lessonIds: string[], change: LessonChange, words: string) => {
      const ask = () => api.course.changeLessons({ courseId, lessonIds, change }, QUIET)
      return line.act(withLessons(line.$modules.get(), lessonIds, change), ask, words)
    },
    changeModule: async (moduleId: string, change: ModuleChange, words: string) => {
      const module = line.$modules.get().find(({ id }) => id === moduleId)
      if (!module) return null
      const { title, description } = module
      const ask = () => api.course.changeModule({ moduleId, change, was: { title, description } }, QUIET)
      return line.act(withModuleChange(line.$modules.get(), moduleId, change), ask, words)
    },
    rename: async (lessonId: string, title: string) => {
      const was = lessonsOf(line.$modules.get()).find(({ id }) => id === lessonId)
      if (!was || was.title === title) return
      const state = was.state === 'published' ? 'changed' : was.state
      const ask = () => api.course.renameLesson({ lessonId, title, was: was.title }, QUIET)
      const next = withLessons(line.$modules.get(), [lessonId], { title, state })
      const answer = await line.act(next, ask, say('outline:said.renamed', { title }))
      if (answer && lessonId === current) refreshUnlessWriting()
    },
    publish: async (lessonIds: string[]) => {
      const all = lessonsOf(line.$modules.get())
      const full = all.filter(({ id, words }) => lessonIds.includes(id) && words > 0).map(({ id }) => id)
      const next = withLessons(line.$modules.get(), full, { state: 'published', hidden: false })
      const ask = () => api.course.publishLessons({ courseId, lessonIds }, QUIET)
      const answer = await line.act(next, ask, ({ changed }) => say('outline:said.published', count(changed)))
      if (!answer) return
      if (answer.empty.length > 0) notify('info', say('outline:said.empty', count(answer.empty)))
      else if (!answer.changeId) notify('info', say('outline:said.upToDate'))
      if (current && answer.changed.includes(current)) refreshUnlessWriting()
    },
  }
}

function removing(kit: Kit) {
  const { courseId, current, line, say } = kit
  return {
    remove: async (lessonIds: string[]) => {
      const ask = () => api.course.deleteLessons({ courseId, lessonIds }, QUIET)
      const words = say('outline:said.deleted', count(lessonIds))
      const answer = await line.act(without(line.$modules.get(), lessonIds), ask, words)
      // The lesson beside the outline is gone, and with it the place where it could be written.
      if (answer && current && lessonIds.includes(current)) goTo(`/course/edit/${courseId}`)
    },
    removeModule: async (moduleId: string) => {
      const before = line.$modules.get()
      const gone = before.find(({ id }) => id === moduleId)?.lessons.some(({ id }) => id === current)
      const words = say('outline:said.deletedModule', { title: titleOf(kit, moduleId) })
      const next = before.filter(({ id }) => id !== moduleId)
      const answer = await line.act(next, () => api.course.deleteModule({ moduleId }, QUIET), words)
      if (answer && gone) goTo(`/course/edit/${courseId}`)
    },
  }
}

function adding(kit: Kit) {
  const { courseId, line, say } = kit
  return {
    /** Answers whether they were added; until then the typed titles stay where they are. */
    add: async (moduleId: string, titles: string[]): Promise<boolean> => {
      const ask = () => api.course.addLessons({ moduleId, titles }, QUIET)
      const answer = await line.act(null, ask, say('outline:said.added', count(titles)))
      if (!answer) return false
      const first = lessonsOf(line.$modules.get()).length === 0 ? answer.lessonIds[0] : undefined
      if (first) goTo(`/course/edit/${courseId}?lesson=${first}`)
      else line.reload()
      return true
    },
    addModule: async (title: string): Promise<boolean> => {
      const ask = () => api.course.addModule({ courseId, title }, QUIET)
      const answer = await line.act(null, ask, say('outline:said.addedModule', { title }))
      if (answer) line.reload()
      return answer !== null
    },
    duplicate: async (lessonIds: string[]) => {
      const ask = () => api.course.duplicateLessons({ courseId, lessonIds }, QUIET)
      if (await line.act(null, ask, say('outline:said.duplicated', count(lessonIds)))) line.reload()
    },
    duplicateModule: async (moduleId: string) => {
      const words = say('outline:said.duplicatedModule', { title: titleOf(kit, moduleId) })
      if (await line.act(null, () => api.course.duplicateModule({ moduleId }, QUIET), words)) line.reload()
    },
  }
}

/** What stands beside is drawn anew, but never under the hands of somebody who writes there. */
function refreshUnlessWriting(): void {
  if (!document.querySelector('#lesson-editor [contenteditable=true]')) refreshPage()
}
