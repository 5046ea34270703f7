import { and, asc, eq, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { ANYONE } from '#lib/core/files/url-token.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { coverOf } from '#lib/course/lesson/pictures.ts'
import { course, courseModule, courseStaff, lesson } from '#lib/course/table.ts'
import { type Picture, pictureColumns, pictureFor } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import { membership, user } from '#lib/user/table.ts'
import { loadContents, type OfferContents } from './contents.ts'
import { isShownLesson } from './free-lesson.ts'
import { toOfferSettings } from './offer-settings.ts'
import { isReservation } from './order/seats.ts'
import { calculateTotal, type Total } from './price-rules.ts'
import { salesObstacle } from './rules.ts'
import type { OfferSettings } from './schema.ts'
import { offer } from './table.ts'

export interface PublicOffer {
  id: string
  settings: OfferSettings
  total: Total
  contents: OfferContents
  /** Null: without a limit. */
  seatsLeft: number | null
}

/** A published course as everyone sees it. */
export interface PublicCourse {
  id: string
  title: string
  shortDescription: string
  seoTitle: string
  seoDescription: string
  language: 'uk' | 'en'
  cover: Picture | null
  lessonCount: number
  minutes: number | null
  modules: {
    id: string
    title: string
    description: string
    lessons: { id: string; title: string; isFree: boolean }[]
  }[]
  authors: string[]
  offers: PublicOffer[]
}

const MAX_OFFERS = 20

/**
 * The public page of a course: its program, authors and the offers that are shown on it. Refuses with not_found for a
 * course that is not published.
 */
export function readPublicCourse(tenantId: string, courseId: string, now = new Date()): Promise<PublicCourse> {
  return inTenant({ tenantId }, async (tx) => {
    const [found, lessons, authors, offers, seatCounts] = await Promise.all([
      tx.select({ course, cover: pictureColumns }).from(course).leftJoin(file, coverOf).where(eq(course.id, courseId)),
      tx
        .select({
          moduleId: courseModule.id,
          module: courseModule.title,
          description: courseModule.description,
          id: lesson.id,
          title: sql<string>`${lesson.publishedTitle}`,
          isFree: lesson.freePreview,
          minutes: lesson.durationMinutes,
        })
        .from(lesson)
        .innerJoin(courseModule, and(eq(courseModule.tenantId, lesson.tenantId), eq(courseModule.id, lesson.moduleId)))
        .where(and(eq(lesson.courseId, courseId), isShownLesson))
        .orderBy(asc(courseModule.position), asc(courseModule.id), asc(lesson.position), asc(lesson.id)),
      tx
        .select({ name: sql<string>`trim(${user.firstName} || ' ' || ${user.lastName})` })
        .from(courseStaff)
        .innerJoin(
          membership,
          and(eq(membership.tenantId, courseStaff.tenantId), eq(membership.id, courseStaff.memberId)),
        )
        .innerJoin(user, eq(user.id, membership.userId))
        .where(and(eq(courseStaff.courseId, courseId), eq(courseStaff.role, 'expert')))
        .orderBy(user.firstName),
      tx
        .select()
        .from(offer)
        .where(and(eq(offer.courseId, courseId), eq(offer.state, 'active'), eq(offer.visibility, 'public')))
        .orderBy(asc(offer.price), asc(offer.id))
        .limit(MAX_OFFERS),
      tx.execute<{ offerId: string; seats: number }>(sql`
        select offer_id as "offerId", count(*)::int as seats from sales_order
        where tenant_id = current_tenant() and course_id = ${courseId}
          and (state not in ('new', 'awaiting_payment', 'expired', 'canceled', 'refunded') or ${isReservation(now)})
        group by offer_id`),
    ])
    const [row] = found
    if (row?.course.status !== 'published') throw new Refusal('not_found')
    const { id, title, shortDescription, seoTitle, seoDescription, language, estimatedMinutes } = row.course
    const counts = new Map(seatCounts.rows.map(({ offerId, seats }) => [offerId, seats]))
    const onSale = offers.filter((item) => salesObstacle(item, 0, now) === null)
    const contents = await loadContents(tx, { courseId, courseTitle: title }, onSale)
    const modules = Map.groupBy(lessons, ({ moduleId }) => moduleId)
    const minutes = lessons.reduce((sum, item) => sum + (item.minutes ?? 0), 0)
    return {
      id,
      title,
      shortDescription,
      seoTitle,
      seoDescription,
      language,
      cover: row.cover && pictureFor({ tenantId, viewer: ANYONE }, row.cover),
      lessonCount: lessons.length,
      minutes: estimatedMinutes ?? (minutes || null),
      modules: [...modules].map(([moduleId, items]) => ({
        id: moduleId,
        title: items[0]?.module ?? '',
        description: items[0]?.description ?? '',
        lessons: items.map((item) => ({ id: item.id, title: item.title, isFree: item.isFree })),
      })),
      authors: authors.map(({ name }) => name).filter(Boolean),
      offers: onSale.map((item, index) => {
        const settings = toOfferSettings(item)
        return {
          id: item.id,
          settings,
          total: calculateTotal(settings, { now }),
          contents: contents[index] ?? {
            courseTitle: title,
            moduleTitles: null,
            mentoring: null,
            group: null,
            courseTitles: [],
            events: [],
            hasTasks: false,
            hasCertificate: false,
          },
          seatsLeft: item.seats === null ? null : Math.max(0, item.seats - (counts.get(item.id) ?? 0)),
        }
      }),
    }
  })
}
