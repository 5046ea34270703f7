import type { OfferContents } from '#lib/offer/contents.ts'
import type { OfferOptions } from '#lib/offer/references.ts'
import type { OfferSettings } from '#lib/offer/schema.ts'

/** The names of what settings include, from the options of the editor. */
export function describeOfferContents(
  courseTitle: string,
  settings: OfferSettings,
  options: OfferOptions,
): OfferContents {
  const { moduleIds, courseIds, workshopIds, mentorProgramId, mentorSessions, groupId } = settings
  const program = options.programs.find(({ id }) => id === mentorProgramId)
  return {
    courseTitle,
    hasTasks: options.hasTasks,
    hasCertificate: options.hasCertificate,
    moduleTitles: moduleIds && options.modules.filter(({ id }) => moduleIds.includes(id)).map(({ title }) => title),
    courseTitles: options.courses.filter(({ id }) => courseIds.includes(id)).map(({ title }) => title),
    events: options.events.filter(({ id }) => workshopIds.includes(id)),
    group: options.groups.find(({ id }) => id === groupId) ?? null,
    mentoring: program ? { title: program.title, sessions: mentorSessions ?? program.sessionsIncluded } : null,
  }
}
