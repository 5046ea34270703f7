import { titlesOf } from '#islands/course/outline/outline-view.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import * as course from '#lib/course/course.ts'
import { createRoadmap } from '#lib/roadmap/roadmap.ts'
import { accessActs } from './_access/access-acts.ts'
import { idOf } from './_id.ts'
import { settingsActs } from './_settings/settings-acts.ts'
import { textOf } from './_transfer/posted.ts'

/** What the forms of `/course/edit/{id}` do; each gives the path to show next. */
export function editActs(actor: Actor, courseId: string, here: URL) {
  const content = `/course/edit/${courseId}`
  const stay = here.pathname + here.search
  const students = `${content}?tab=students`
  const settings = `${content}?tab=settings`
  const module = (form: FormData) => ({ moduleId: idOf(textOf(form, 'moduleId')) })
  const lesson = (form: FormData) => ({ lessonId: idOf(textOf(form, 'lessonId')) })
  const by = (form: FormData) => (textOf(form, 'by') === '-1' ? -1 : 1)
  const then = async (done: Promise<unknown>, path: string) => {
    await done
    return path
  }
  return {
    addModule: (form: FormData) => then(course.addModule(actor, { courseId, title: textOf(form, 'title') }), content),
    renameModule: (form: FormData) =>
      then(course.changeModule(actor, { ...module(form), change: { title: textOf(form, 'title') } }), stay),
    moveModule: (form: FormData) => then(course.moveModule(actor, { ...module(form), by: by(form) }), stay),
    deleteModule: (form: FormData) =>
      then(course.deleteModule(actor, module(form)), `${content}?deletedModule=${textOf(form, 'moduleId')}`),
    restoreModule: (form: FormData) => then(course.restoreModule(actor, module(form)), content),
    addLesson: async (form: FormData) => {
      const { lessonId } = await course.addLesson(actor, { ...module(form), title: textOf(form, 'title') })
      return `${content}?lesson=${lessonId}`
    },
    moveLesson: (form: FormData) => then(course.moveLesson(actor, { ...lesson(form), by: by(form) }), stay),
    deleteLesson: (form: FormData) =>
      then(course.deleteLesson(actor, lesson(form)), `${content}?deletedLesson=${textOf(form, 'lessonId')}`),
    addLessons: async (form: FormData) => {
      const titles = titlesOf(textOf(form, 'title'))
      // An empty line is refused as an empty title, in the words of the form.
      const { lessonIds } = await course.addLessons(actor, {
        ...module(form),
        titles: titles.length > 0 ? titles : [''],
      })
      return `${content}?lesson=${lessonIds[0]}`
    },
    restoreChosen: async (form: FormData) => {
      const only = textOf(form, 'only')
      const chosen = (kind: string, name: string) => {
        const ids = only ? (only.startsWith(`${kind}:`) ? [only.slice(kind.length + 1)] : []) : form.getAll(name)
        return ids.map((id) => idOf(String(id)))
      }
      for (const moduleId of chosen('module', 'moduleId')) await course.restoreModule(actor, { moduleId })
      const lessonIds = chosen('lesson', 'lessonId')
      if (lessonIds.length > 0) await course.restoreLessons(actor, { courseId, lessonIds })
      return `${content}?tab=trash&said=restored`
    },
    restoreLesson: (form: FormData) =>
      then(course.restoreLesson(actor, lesson(form)), `${content}?lesson=${textOf(form, 'lessonId')}`),
    publishLesson: (form: FormData) => then(course.publishLesson(actor, lesson(form)), stay),
    discardLesson: (form: FormData) => then(course.discardLesson(actor, lesson(form)), stay),

    publish: () => then(course.publishCourse(actor, { courseId }), `${content}?said=published`),
    unpublish: () => then(course.unpublishCourse(actor, { courseId }), `${settings}&said=unpublished#status`),
    archive: () => then(course.archiveCourse(actor, { courseId }), `${settings}&said=archived#status`),
    restore: () => then(course.restoreCourse(actor, { courseId }), `${settings}&said=restored#status`),

    invite: (form: FormData) =>
      then(
        course.inviteToCourse(actor, { courseId, email: textOf(form, 'email'), name: textOf(form, 'name') }),
        `${students}&said=invited`,
      ),
    revoke: async (form: FormData) => {
      const studentId = idOf(textOf(form, 'studentId'))
      const { changeId } = await course.revokeAccess(actor, { courseId, studentId })
      return `${students}&said=revoked&change=${changeId ?? ''}`
    },

    createRoadmap: () => then(createRoadmap(actor, { courseId }), `${content}?tab=roadmap`),

    ...accessActs(actor, courseId, here),
    ...settingsActs(actor, courseId),
  }
}
