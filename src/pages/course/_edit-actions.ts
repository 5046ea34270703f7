import { parseTitles } from '#islands/course/outline/outline-view.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { inviteToCourse } from '#lib/course/access/invite.ts'
import { revokeAccess } from '#lib/course/access/revoke.ts'
import { createGroup } from '#lib/course/group/group.ts'
import { CreateGroup } from '#lib/course/group/schema.ts'
import { discardLesson, publishLesson } from '#lib/course/lesson/lesson.ts'
import { moveLesson, moveModule } from '#lib/course/outline/arrange.ts'
import { changeModule } from '#lib/course/outline/bulk-change.ts'
import { addLesson, addLessons, addModule } from '#lib/course/outline/outline.ts'
import { AddLessons, ChangeModule, LessonIds, MoveLesson, MoveModule } from '#lib/course/outline/schema.ts'
import { deleteLesson, deleteModule, restoreLesson, restoreLessons, restoreModule } from '#lib/course/outline/trash.ts'
import { archiveCourse, publishCourse, restoreCourse, unpublishCourse } from '#lib/course/publish.ts'
import { AddLesson, AddModule, InviteToCourse } from '#lib/course/schema.ts'
import { createRoadmap } from '#lib/roadmap/roadmap.ts'
import { formText } from '../_request/form-actions.ts'
import { isId, parseId } from '../_request/id-param.ts'
import { groupActions } from '../group/_group-actions.ts'
import { readGroupFields } from '../group/_group-fields.ts'
import { accessActions } from './_access/access-actions.ts'
import { certificateActions } from './_certificate/certificate-actions.ts'
import { invitationLinkActions } from './_invitation-links/invitation-link-actions.ts'
import { offerActions } from './_offer/offer-actions.ts'
import { quizActions } from './_quiz/quiz-actions.ts'
import { courseSettingsActions } from './_settings/settings-actions.ts'

/** Form actions of `/course/edit/{id}`; each returns the path to show next, or null to show the page again. */
export function editActions(actor: Actor, t: Translate, courseId: string, here: URL) {
  const content = `/course/edit/${courseId}`
  const stay = here.pathname + here.search
  const students = `${content}?tab=students`
  const settings = `${content}?tab=settings`
  const addressOfGroup = (id: string) => `${content}?tab=groups&group=${id}`
  const shownGroupId = here.searchParams.get('group') ?? ''
  const module = (form: FormData) => ({ moduleId: parseId(formText(form, 'moduleId')) })
  const lesson = (form: FormData) => ({ lessonId: parseId(formText(form, 'lessonId')) })
  const direction = (form: FormData) => (formText(form, 'by') === '-1' ? -1 : 1)
  const thenPath = async (done: Promise<unknown>, path: string) => {
    await done
    return path
  }
  return {
    // The preview of a test shows the posted answers; nothing is stored.
    checkPreview: async () => null,
    addModule: (form: FormData) =>
      thenPath(addModule(actor, AddModule.parse({ courseId, title: formText(form, 'title') })), content),
    renameModule: (form: FormData) =>
      thenPath(
        changeModule(actor, ChangeModule.parse({ ...module(form), change: { title: formText(form, 'title') } })),
        stay,
      ),
    moveModule: (form: FormData) =>
      thenPath(moveModule(actor, MoveModule.parse({ ...module(form), direction: direction(form) })), stay),
    deleteModule: (form: FormData) =>
      thenPath(deleteModule(actor, module(form)), `${content}?deletedModule=${formText(form, 'moduleId')}`),
    restoreModule: (form: FormData) => thenPath(restoreModule(actor, module(form)), content),
    addLesson: async (form: FormData) => {
      const { lessonId } = await addLesson(actor, AddLesson.parse({ ...module(form), title: formText(form, 'title') }))
      return `${content}?lesson=${lessonId}`
    },
    moveLesson: (form: FormData) =>
      thenPath(moveLesson(actor, MoveLesson.parse({ ...lesson(form), direction: direction(form) })), stay),
    deleteLesson: (form: FormData) =>
      thenPath(deleteLesson(actor, lesson(form)), `${content}?deletedLesson=${formText(form, 'lessonId')}`),
    addLessons: async (form: FormData) => {
      const titles = parseTitles(formText(form, 'title'))
      // An empty input is refused like an empty title, with the message of the form.
      const { lessonIds } = await addLessons(
        actor,
        AddLessons.parse({
          ...module(form),
          titles: titles.length > 0 ? titles : [''],
        }),
      )
      return `${content}?lesson=${lessonIds[0]}`
    },
    restoreChosen: async (form: FormData) => {
      const only = formText(form, 'only')
      const selectedIds = (kind: string, name: string) => {
        const ids = only ? (only.startsWith(`${kind}:`) ? [only.slice(kind.length + 1)] : []) : form.getAll(name)
        return ids.map((id) => parseId(String(id)))
      }
      for (const moduleId of selectedIds('module', 'moduleId')) await restoreModule(actor, { moduleId })
      const lessonIds = selectedIds('lesson', 'lessonId')
      if (lessonIds.length > 0) await restoreLessons(actor, LessonIds.parse({ courseId, lessonIds }))
      return `${content}?tab=trash&notice=restored`
    },
    restoreLesson: (form: FormData) =>
      thenPath(restoreLesson(actor, lesson(form)), `${content}?lesson=${formText(form, 'lessonId')}`),
    publishLesson: (form: FormData) => thenPath(publishLesson(actor, lesson(form)), stay),
    discardLesson: (form: FormData) => thenPath(discardLesson(actor, lesson(form)), stay),

    publish: () => thenPath(publishCourse(actor, { courseId }), `${content}?notice=published`),
    unpublish: () => thenPath(unpublishCourse(actor, { courseId }), `${settings}&notice=unpublished#status`),
    archive: () => thenPath(archiveCourse(actor, { courseId }), `${settings}&notice=archived#status`),
    restore: () => thenPath(restoreCourse(actor, { courseId }), `${settings}&notice=restored#status`),

    invite: (form: FormData) =>
      thenPath(
        inviteToCourse(
          actor,
          InviteToCourse.parse({ courseId, email: formText(form, 'email'), name: formText(form, 'name') }),
        ),
        `${students}&notice=invited`,
      ),
    revoke: async (form: FormData) => {
      const studentId = parseId(formText(form, 'studentId'))
      const { changeId } = await revokeAccess(actor, { courseId, studentId })
      return `${students}&notice=revoked&change=${changeId ?? ''}`
    },

    createRoadmap: () => thenPath(createRoadmap(actor, { courseId }), `${content}?tab=roadmap`),

    createGroup: async (form: FormData) => {
      const { groupId } = await createGroup(
        actor,
        CreateGroup.parse({
          courseId,
          groupId: parseId(formText(form, 'groupId')),
          ...readGroupFields(form),
        }),
      )
      return `${addressOfGroup(groupId)}&notice=created`
    },
    ...invitationLinkActions(
      actor,
      async () => ({ courseId, groupId: null }),
      (notice) => `${students}&notice=${notice}`,
    ),
    ...(isId(shownGroupId) ? groupActions(actor, shownGroupId, addressOfGroup(shownGroupId), addressOfGroup) : {}),

    ...accessActions(actor, courseId, here),
    ...certificateActions(actor, courseId, stay),
    ...courseSettingsActions(actor, courseId),
    ...offerActions(actor, t, courseId, `${content}?tab=offers`),
    ...quizActions(actor, courseId, here),
  }
}
