import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm'
import { certificateRule } from '#lib/certificate/table.ts'
import type { Tx } from '#lib/core/db/db.ts'
import { studyGroup } from '#lib/course/learning/table.ts'
import { course, courseModule, lesson } from '#lib/course/table.ts'
import { mentorProgram } from '#lib/mentoring/program/table.ts'
import { workshop } from '#lib/workshop/table.ts'
import type { OfferSettings } from './schema.ts'

/** Names of what an offer includes. */
export interface OfferContents {
  courseTitle: string
  /** Null: every module. */
  moduleTitles: string[] | null
  courseTitles: string[]
  events: { title: string; startAt: Date | null }[]
  /** The mentoring program with its number of sessions; without a limit with null. */
  mentoring: { title: string; sessions: number | null } | null
  /** The study group that buyers join. */
  group: { name: string; startAt: Date; zone: string } | null
  /** Lessons of the course have assignments that curators can review. */
  hasTasks: boolean
  /** The course issues certificates. */
  hasCertificate: boolean
}

type Included = Pick<
  OfferSettings,
  'moduleIds' | 'courseIds' | 'workshopIds' | 'mentorProgramId' | 'mentorSessions' | 'groupId'
>

/** What offers of a course include, in the order of the offers: seven statements, sent together. */
export async function loadContents(
  tx: Tx,
  { courseId, courseTitle }: { courseId: string; courseTitle: string },
  offers: readonly Included[],
): Promise<OfferContents[]> {
  const ids = (idsOf: (settings: Included) => readonly string[]) => [...new Set(offers.flatMap(idsOf))]
  const moduleIds = ids((settings) => settings.moduleIds ?? [])
  const courseIds = ids((settings) => settings.courseIds)
  const workshopIds = ids((settings) => settings.workshopIds)
  const programIds = ids((settings) => (settings.mentorProgramId ? [settings.mentorProgramId] : []))
  const groupIds = ids((settings) => (settings.groupId ? [settings.groupId] : []))
  const [modules, courses, events, programs, groups, hasTasks, hasCertificate] = await Promise.all([
    moduleIds.length === 0
      ? []
      : tx
          .select({ id: courseModule.id, title: courseModule.title })
          .from(courseModule)
          .where(inArray(courseModule.id, moduleIds))
          .orderBy(asc(courseModule.position)),
    courseIds.length === 0
      ? []
      : tx.select({ id: course.id, title: course.title }).from(course).where(inArray(course.id, courseIds)),
    workshopIds.length === 0
      ? []
      : tx
          .select({ id: workshop.id, title: workshop.title, startAt: workshop.startAt })
          .from(workshop)
          .where(inArray(workshop.id, workshopIds))
          .orderBy(sql`${workshop.startAt} nulls last`),
    programIds.length === 0
      ? []
      : tx
          .select({
            id: mentorProgram.id,
            title: mentorProgram.title,
            sessionsIncluded: mentorProgram.sessionsIncluded,
          })
          .from(mentorProgram)
          .where(inArray(mentorProgram.id, programIds)),
    groupIds.length === 0
      ? []
      : tx
          .select({
            id: studyGroup.id,
            name: studyGroup.name,
            startAt: studyGroup.startAt,
            zone: studyGroup.timeZone,
          })
          .from(studyGroup)
          .where(inArray(studyGroup.id, groupIds)),
    hasTasksIn(tx, courseId),
    issuesCertificates(tx, courseId),
  ])
  return offers.map((settings) => ({
    courseTitle,
    hasTasks,
    hasCertificate,
    moduleTitles: settings.moduleIds && titlesOf(modules, settings.moduleIds),
    courseTitles: titlesOf(courses, settings.courseIds),
    events: events
      .filter(({ id }) => settings.workshopIds.includes(id))
      .map(({ title, startAt }) => ({ title, startAt })),
    mentoring: mentoringOf(programs, settings),
    group: groups.find(({ id }) => id === settings.groupId) ?? null,
  }))
}

/** Whether a lesson of the course that students can see has assignments. */
export async function hasTasksIn(tx: Tx, courseId: string): Promise<boolean> {
  const [found] = await tx
    .select({ id: lesson.id })
    .from(lesson)
    .where(and(eq(lesson.courseId, courseId), isNull(lesson.deletedAt), gt(lesson.taskCount, 0)))
    .limit(1)
  return found !== undefined
}

/** Whether students of a course can get its certificate. */
export async function issuesCertificates(tx: Tx, courseId: string): Promise<boolean> {
  const [rule] = await tx
    .select({ courseId: certificateRule.courseId })
    .from(certificateRule)
    .where(and(eq(certificateRule.courseId, courseId), eq(certificateRule.enabled, true)))
  return rule !== undefined
}

function mentoringOf(
  programs: readonly { id: string; title: string; sessionsIncluded: number | null }[],
  { mentorProgramId, mentorSessions }: Included,
): OfferContents['mentoring'] {
  const program = programs.find(({ id }) => id === mentorProgramId)
  return program ? { title: program.title, sessions: mentorSessions ?? program.sessionsIncluded } : null
}

const titlesOf = (rows: readonly { id: string; title: string }[], ids: readonly string[]): string[] =>
  rows.filter(({ id }) => ids.includes(id)).map(({ title }) => title)
