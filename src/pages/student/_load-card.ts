import { loadTogether } from '#lib/core/http/load-together.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { explainAccess, listGrants } from '#lib/course/access/explain-access.ts'
import { ExplainAccess } from '#lib/course/access/schema.ts'
import { listStudentCourses } from '#lib/course/access/student-courses.ts'
import { getStudentCard, listRisks } from '#lib/student/card/card.ts'
import { listStudentDevices } from '#lib/student/card/devices.ts'
import { listSection } from '#lib/student/card/list-section.ts'
import { listStudentNotes } from '#lib/student/card/notes.ts'
import { ListNotes, ListSection, ListTimeline } from '#lib/student/card/schema.ts'
import { listTimeline } from '#lib/student/card/timeline.ts'
import { getFieldValues } from '#lib/student/fields/values.ts'
import { getStudentRegistration } from '#lib/student/registration-form/registration-form.ts'
import { cardSections } from '#lib/student-card.ts'
import { parseId } from '../_request/id-param.ts'

const OWN_TABS = ['profile', 'access', 'timeline', 'notes', 'devices'] as const
const sectionTabs = cardSections.flatMap(({ key, labelKey, list }) => (list && labelKey ? [{ key, labelKey }] : []))

/** The tabs of a card: those of the student module, and those of the modules above. */
export function tabsOf(t: Translate, studentId: string) {
  const href = (key: string) => (key === 'profile' ? `/student/${studentId}` : `/student/${studentId}?tab=${key}`)
  const own = (key: (typeof OWN_TABS)[number]) => ({ key, label: t(`student:card.tab.${key}`), href: href(key) })
  const contributed = sectionTabs.map(({ key, labelKey }) => ({ key, label: t(labelKey), href: href(key) }))
  return [own('profile'), own('access'), own('timeline'), ...contributed, own('notes'), own('devices')]
}

export type CardPageView = Awaited<ReturnType<typeof loadCard>>

/** The data of the current tab, in one transaction. */
export async function loadCard(actor: Actor, studentId: string, params: URLSearchParams) {
  const requestedTab = params.get('tab') ?? 'profile'
  const isSection = sectionTabs.some(({ key }) => key === requestedTab)
  const tab = isSection ? requestedTab : (OWN_TABS.find((key) => key === requestedTab) ?? 'profile')
  const page = { studentId, cursor: params.get('cursor') ?? undefined }
  const courseId = tab === 'access' && params.has('course') ? parseId(params.get('course')) : null
  const [, lessonId] = (params.get('why') ?? '').split('.')
  const question =
    courseId && lessonId ? ExplainAccess.parse({ courseId, studentId, lessonId: parseId(lessonId) }) : null
  const timelinePage = tab === 'timeline' ? ListTimeline.parse(page) : null
  const notesPage = tab === 'notes' ? ListNotes.parse(page) : null
  const sectionPage = isSection ? ListSection.parse({ ...page, section: tab }) : null
  const [card, risks, courses, access, explanation, timeline, notes, devices, section, registration, fields] =
    await loadTogether(actor, () => [
      getStudentCard(actor, { studentId }),
      tab === 'profile' ? listRisks(actor, { studentId }, cardSections) : [],
      tab === 'access' && !courseId ? listStudentCourses(actor, { studentId }) : [],
      courseId ? listGrants(actor, { courseId, studentId }) : null,
      question ? explainAccess(actor, question) : null,
      timelinePage ? listTimeline(actor, timelinePage, cardSections) : null,
      notesPage ? listStudentNotes(actor, notesPage) : null,
      tab === 'devices' ? listStudentDevices(actor, { studentId }) : [],
      sectionPage ? listSection(actor, sectionPage, cardSections) : null,
      tab === 'profile' ? getStudentRegistration(actor, { studentId }) : null,
      tab === 'profile' ? getFieldValues(actor, { studentId }) : null,
    ])
  return {
    tab,
    courseId,
    card,
    risks,
    courses,
    access,
    explanation,
    timeline,
    notes,
    devices,
    section,
    registration,
    fields,
  }
}
