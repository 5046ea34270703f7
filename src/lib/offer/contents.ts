import { asc, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import { course, courseModule } from '#lib/course/table.ts'
import { workshop } from '#lib/workshop/table.ts'
import type { OfferSettings } from './schema.ts'

/** Names of what an offer includes. */
export interface OfferContents {
  courseTitle: string
  /** Null: every module. */
  moduleTitles: string[] | null
  courseTitles: string[]
  events: { title: string; startAt: Date | null }[]
}

type Included = Pick<OfferSettings, 'moduleIds' | 'courseIds' | 'workshopIds'>

/** The names of what offers of a course include, in the order of the offers: three statements, sent together. */
export async function loadContents(tx: Tx, courseTitle: string, offers: readonly Included[]): Promise<OfferContents[]> {
  const ids = (of: (settings: Included) => readonly string[]) => [...new Set(offers.flatMap(of))]
  const moduleIds = ids((settings) => settings.moduleIds ?? [])
  const courseIds = ids((settings) => settings.courseIds)
  const workshopIds = ids((settings) => settings.workshopIds)
  const [modules, courses, events] = await Promise.all([
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
  ])
  return offers.map((settings) => ({
    courseTitle,
    moduleTitles: settings.moduleIds && titlesOf(modules, settings.moduleIds),
    courseTitles: titlesOf(courses, settings.courseIds),
    events: events
      .filter(({ id }) => settings.workshopIds.includes(id))
      .map(({ title, startAt }) => ({ title, startAt })),
  }))
}

const titlesOf = (rows: readonly { id: string; title: string }[], ids: readonly string[]): string[] =>
  rows.filter(({ id }) => ids.includes(id)).map(({ title }) => title)
