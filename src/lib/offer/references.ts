import { and, asc, count, eq, gt, inArray, isNull, ne, or, type SQL } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { studyGroup } from '#lib/course/learning/table.ts'
import { course, courseModule } from '#lib/course/table.ts'
import { mentorProgram } from '#lib/mentoring/program/table.ts'
import { listPaymentMethods } from '#lib/payment/methods.ts'
import type { ProviderName } from '#lib/payment/schema.ts'
import { workshop } from '#lib/workshop/table.ts'
import { hasTasksIn, issuesCertificates } from './contents.ts'
import { requireOfferReader } from './permission.ts'
import { type OfferSettings, UPGRADE_KINDS } from './schema.ts'
import { offer } from './table.ts'

const MAX_OPTIONS = 200

/** What the editor of an offer lets choose. */
export interface OfferOptions {
  modules: { id: string; title: string }[]
  courses: { id: string; title: string }[]
  events: { id: string; title: string; startAt: Date | null }[]
  programs: { id: string; title: string; sessionsIncluded: number | null }[]
  /** Study groups of the course that still take students. */
  groups: { id: string; name: string; startAt: Date; zone: string }[]
  offers: { id: string; name: string }[]
  /** Offers of the course whose buyers can pay the difference. */
  upgradable: { id: string; name: string }[]
  /** Enabled providers that charge subscriptions, but not weekly. */
  notWeekly: ProviderName[]
  /** The course has assignments. */
  hasTasks: boolean
  /** The course issues certificates. */
  hasCertificate: boolean
}

/** Modules, other courses, events, mentoring programs and offers that an offer of a course can name. Refuses with forbidden. */
export function listOfferOptions(
  actor: Actor,
  { courseId, offerId }: { courseId: string; offerId?: string },
): Promise<OfferOptions> {
  requireOfferReader(actor)
  return inTenant(actor, async (tx) => {
    const [modules, courses, events, programs, groups, offers, upgradable, methods, weekly, hasTasks, hasCertificate] =
      await Promise.all([
        tx
          .select({ id: courseModule.id, title: courseModule.title })
          .from(courseModule)
          .where(and(eq(courseModule.courseId, courseId), isNull(courseModule.deletedAt)))
          .orderBy(asc(courseModule.position)),
        tx
          .select({ id: course.id, title: course.title })
          .from(course)
          .where(and(ne(course.id, courseId), eq(course.status, 'published')))
          .orderBy(asc(course.title))
          .limit(MAX_OPTIONS),
        tx
          .select({ id: workshop.id, title: workshop.title, startAt: workshop.startAt })
          .from(workshop)
          .where(isOffered())
          .orderBy(asc(workshop.startAt))
          .limit(MAX_OPTIONS),
        tx
          .select({
            id: mentorProgram.id,
            title: mentorProgram.title,
            sessionsIncluded: mentorProgram.sessionsIncluded,
          })
          .from(mentorProgram)
          .where(eq(mentorProgram.status, 'published'))
          .orderBy(asc(mentorProgram.title))
          .limit(MAX_OPTIONS),
        tx
          .select({
            id: studyGroup.id,
            name: studyGroup.name,
            startAt: studyGroup.startAt,
            zone: studyGroup.timeZone,
          })
          .from(studyGroup)
          .where(and(eq(studyGroup.courseId, courseId), takesStudents()))
          .orderBy(asc(studyGroup.startAt), asc(studyGroup.id))
          .limit(MAX_OPTIONS),
        tx
          .select({ id: offer.id, name: offer.name })
          .from(offer)
          .where(and(eq(offer.state, 'active'), offerId ? ne(offer.id, offerId) : undefined))
          .orderBy(asc(offer.name))
          .limit(MAX_OPTIONS),
        tx
          .select({ id: offer.id, name: offer.name })
          .from(offer)
          .where(
            and(
              eq(offer.courseId, courseId),
              inArray(offer.kind, [...UPGRADE_KINDS]),
              offerId ? ne(offer.id, offerId) : undefined,
            ),
          )
          .orderBy(asc(offer.name))
          .limit(MAX_OPTIONS),
        listPaymentMethods(tx, { currency: 'UAH', mayTest: true }),
        listPaymentMethods(tx, { currency: 'UAH', period: { unit: 'week', count: 1 }, mayTest: true }),
        hasTasksIn(tx, courseId),
        issuesCertificates(tx, courseId),
      ])
    const notWeekly = methods
      .filter(({ provider, recurring }) => recurring !== null && !weekly.some((other) => other.provider === provider))
      .map(({ provider }) => provider)
    return { modules, courses, events, programs, groups, offers, upgradable, notWeekly, hasTasks, hasCertificate }
  })
}

/**
 * Refuses with not_found when settings name a module, course, event, program, group or offer that is not there, and with
 * unprocessable (offer_upgrade, offer_upgrade_kind) for an upgrade of or by an offer that cannot be one.
 */
export async function requireReferences(
  tx: Tx,
  { courseId, offerId }: { courseId: string; offerId: string },
  settings: OfferSettings,
): Promise<void> {
  const { moduleIds, courseIds, workshopIds, mentorProgramId, groupId } = settings
  const { crossSellIds, upgradesOfferId, currency, kind } = settings
  const inList = [...courseIds, courseId]
  const programIds = mentorProgramId ? [mentorProgramId] : []
  const groupIds = groupId ? [groupId] : []
  const upgradedIds = upgradesOfferId ? [upgradesOfferId] : []
  const isUpgradable = and(
    eq(offer.courseId, courseId),
    eq(offer.currency, currency),
    inArray(offer.kind, [...UPGRADE_KINDS]),
    ne(offer.id, offerId),
  )
  const [modules, courses, events, programs, groups, offers, upgraded, upgradable] = await Promise.all([
    countRows(tx, courseModule, moduleIds ?? [], eq(courseModule.courseId, courseId)),
    countRows(tx, course, inList, ne(course.status, 'archived')),
    countRows(tx, workshop, workshopIds, undefined),
    countRows(tx, mentorProgram, programIds, ne(mentorProgram.status, 'archived')),
    countRows(tx, studyGroup, groupIds, eq(studyGroup.courseId, courseId)),
    countRows(tx, offer, crossSellIds, ne(offer.id, offerId)),
    countRows(tx, offer, upgradedIds, undefined),
    countRows(tx, offer, upgradedIds, isUpgradable),
  ])
  const isComplete =
    modules === new Set(moduleIds ?? []).size &&
    courses === new Set(inList).size &&
    events === new Set(workshopIds).size &&
    programs === programIds.length &&
    groups === groupIds.length &&
    offers === new Set(crossSellIds).size &&
    upgraded === upgradedIds.length
  if (!isComplete) throw new Refusal('not_found')
  // A credit would reduce every payment of a subscription.
  const problem = !upgradesOfferId
    ? null
    : !UPGRADE_KINDS.some((known) => known === kind)
      ? 'offer_upgrade_kind'
      : upgradable < upgraded
        ? 'offer_upgrade'
        : null
  if (problem) throw new Refusal('unprocessable', { fields: { upgradesOfferId: [problem] } })
}

type Referenced =
  | typeof courseModule
  | typeof course
  | typeof workshop
  | typeof mentorProgram
  | typeof studyGroup
  | typeof offer

async function countRows(
  tx: Tx,
  table: Referenced,
  ids: readonly string[],
  condition: SQL | undefined,
): Promise<number> {
  if (ids.length === 0) return 0
  const [row] = await tx
    .select({ rows: count() })
    .from(table)
    .where(and(inArray(table.id, [...ids]), condition))
  return row?.rows ?? 0
}

const takesStudents = () =>
  and(
    isNull(studyGroup.archivedAt),
    isNull(studyGroup.finishedAt),
    or(isNull(studyGroup.endAt), gt(studyGroup.endAt, new Date())),
  )

// Webinars that have not begun. An automated webinar has many sessions, and a masterclass has no seats.
const isOffered = () =>
  and(
    eq(workshop.type, 'webinar'),
    eq(workshop.publication, 'published'),
    isNull(workshop.canceledAt),
    isNull(workshop.archivedAt),
    gt(workshop.startAt, new Date()),
  )
