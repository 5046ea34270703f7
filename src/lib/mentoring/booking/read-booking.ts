import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import { type Picture, pictureColumns, pictureFor } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import { joinsProgramCover } from '../program/cover.ts'
import { requireMentoringAllowed } from '../program/permission.ts'
import { listProgramMentors, type ProgramMentor } from '../program/program.ts'
import type { ProgramQuestion } from '../program/schema.ts'
import { mentorProgram, programEnrolment } from '../program/table.ts'
import { readMentorTimes } from '../slot/busy.ts'
import { listOfferedSlots, type OfferedSlot } from '../slot/offered.ts'
import { canBook } from './rules.ts'
import { booking, bookingHold, bookingWaitlist, mentorSession } from './table.ts'

export interface BookingPage {
  program: {
    id: string
    title: string
    description: string
    sessionMinutes: number
    cancelHours: number
    confirmation: 'auto' | 'mentor'
    assignment: 'studentChooses' | 'roundRobin' | 'fixed'
    format: 'individual' | 'group'
    maxDaysAhead: number
    questions: ProgramQuestion[]
  }
  cover: Picture | null
  /** The mentors to choose from; one, the fixed one; none where the school chooses. */
  mentors: (ProgramMentor & { timeZone: string | null })[]
  /** The mentor whose slots are listed; null where the school chooses or the student has to choose. */
  mentorId: string | null
  slots: OfferedSlot[]
  /** The sessions that the student has left; null: no limit. */
  sessionsLeft: number | null
  hold: { bookingId: string; startAt: Date; expiresAt: Date } | null
  /** The place of the student on the waitlist, until a time is free; `wanted`: the period, null for any time. */
  waiting: { wanted: { from: Date; to: Date } | null } | null
}

interface BookingQuery {
  programId: string
  mentorId: string | null
  /** The booking to be moved: the slots are those of its mentor, and its time does not count as busy. */
  movedBookingId?: string | null
}

/**
 * What a student needs to book a session: mentors, slots of the booking window, balance, the current hold. Refuses with
 * forbidden, not_found (no access).
 */
export function getBookingPage(
  actor: Actor,
  { programId, mentorId, movedBookingId = null }: BookingQuery,
  now = new Date(),
): Promise<BookingPage> {
  requireMentoringAllowed(canBook(actor))
  return inTenant(actor, async (tx) => {
    const own = eq(programEnrolment.studentId, actor.membershipId)
    const [[found], [enrolment], mentors, [hold], [waiting], [moved]] = await Promise.all([
      tx
        .select({ program: mentorProgram, cover: pictureColumns })
        .from(mentorProgram)
        .leftJoin(file, joinsProgramCover)
        .where(and(eq(mentorProgram.id, programId), eq(mentorProgram.status, 'published'))),
      tx
        .select({
          mentorId: programEnrolment.mentorId,
          sessionsTotal: programEnrolment.sessionsTotal,
          used: sql<number>`(select count(*)::int from booking b where b.tenant_id = program_enrolment.tenant_id
            and b.enrolment_id = program_enrolment.id and b.uses_credit)`,
        })
        .from(programEnrolment)
        .where(and(eq(programEnrolment.programId, programId), own, isNull(programEnrolment.revokedAt))),
      listProgramMentors(tx, programId),
      tx
        .select({
          bookingId: bookingHold.id,
          startAt: mentorSession.startAt,
          expiresAt: bookingHold.expiresAt,
        })
        .from(bookingHold)
        .innerJoin(
          mentorSession,
          and(eq(mentorSession.tenantId, bookingHold.tenantId), eq(mentorSession.id, bookingHold.sessionId)),
        )
        .where(
          and(
            eq(bookingHold.studentId, actor.membershipId),
            eq(mentorSession.programId, programId),
            gt(bookingHold.expiresAt, now),
          ),
        ),
      tx
        .select({ from: bookingWaitlist.wantedFrom, to: bookingWaitlist.wantedTo })
        .from(bookingWaitlist)
        .where(
          and(
            eq(bookingWaitlist.programId, programId),
            eq(bookingWaitlist.studentId, actor.membershipId),
            isNull(bookingWaitlist.notifiedAt),
          ),
        ),
      movedBookingId
        ? tx
            .select({ sessionId: mentorSession.id, mentorId: mentorSession.mentorId })
            .from(booking)
            .innerJoin(
              mentorSession,
              and(eq(mentorSession.tenantId, booking.tenantId), eq(mentorSession.id, booking.sessionId)),
            )
            .where(and(eq(booking.id, movedBookingId), eq(booking.studentId, actor.membershipId)))
        : [],
    ])
    if (!found || !enrolment || (movedBookingId && !moved)) throw new Refusal('not_found')
    const { program, cover } = found
    const offered = program.assignment === 'fixed' ? mentors.filter((m) => m.memberId === enrolment.mentorId) : mentors
    const isSchoolChoice = program.assignment === 'roundRobin' && !moved
    const onlyId = offered.length === 1 ? (offered[0]?.memberId ?? null) : null
    const chosenId = moved?.mentorId ?? offered.find((m) => m.memberId === mentorId)?.memberId ?? onlyId
    const memberIds = isSchoolChoice ? offered.map((m) => m.memberId) : chosenId ? [chosenId] : []
    const from = now.getTime()
    const to = from + program.maxDaysAhead * DAY_MS
    const times = await readMentorTimes(
      tx,
      { programId, memberIds, from: now, to: new Date(to), now },
      { exceptSessionId: program.format === 'individual' ? (moved?.sessionId ?? null) : null },
    )
    const zoneOf = (memberId: string) => times.find((time) => time.memberId === memberId)?.availability.timeZone ?? null
    return {
      program,
      cover: cover && pictureFor(actor, cover),
      mentors: isSchoolChoice ? [] : offered.map((mentor) => ({ ...mentor, timeZone: zoneOf(mentor.memberId) })),
      mentorId: isSchoolChoice ? null : chosenId,
      slots: listOfferedSlots(program, times, { from, to, now: from }),
      sessionsLeft: enrolment.sessionsTotal === null ? null : Math.max(0, enrolment.sessionsTotal - enrolment.used),
      hold: hold ?? null,
      waiting: waiting ? { wanted: toPeriod(waiting) } : null,
    }
  })
}

const toPeriod = ({ from, to }: { from: Date | null; to: Date | null }) => (from && to ? { from, to } : null)
