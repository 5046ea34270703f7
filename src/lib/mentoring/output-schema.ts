import { z } from 'zod'
import { Picture } from '#lib/storage/output-schema.ts'
import { AvailabilitySettings } from './availability/schema.ts'
import { BOOKING_STATES, BookingAnswer, BookingEntry, Goal } from './booking/schema.ts'
import {
  ASSIGNMENTS,
  CONFIRMATIONS,
  PROGRAM_FORMATS,
  PROGRAM_PLACES,
  PROGRAM_STATUSES,
  ProgramQuestion,
  ProgramSettings,
} from './program/schema.ts'

const count = z.number()

const ProgramListRow = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(PROGRAM_STATUSES),
  format: z.enum(PROGRAM_FORMATS),
  sessionMinutes: z.number(),
  mentorNames: z.array(z.string()),
  mentorCount: count,
  studentCount: count,
  upcomingCount: count,
  isOwn: z.boolean(),
  cover: Picture.nullable(),
})
export const ProgramList = z.object({ items: z.array(ProgramListRow), next: z.string().nullable() })

const ProgramMentor = z.object({ memberId: z.string(), name: z.string(), hasHours: z.boolean() })

export const ProgramDetails = z.object({
  id: z.string(),
  status: z.enum(PROGRAM_STATUSES),
  version: z.number(),
  settings: ProgramSettings,
  cover: Picture.nullable(),
  mentors: z.array(ProgramMentor),
  canManage: z.boolean(),
})

export const ProgramStatusOutput = z.object({ status: z.enum(PROGRAM_STATUSES) })
export const VersionOutput = z.object({ version: z.number() })
export const CountOutput = z.object({ count })

const EnrolmentRow = z.object({
  id: z.string(),
  studentId: z.string(),
  name: z.string(),
  email: z.string(),
  mentorId: z.string().nullable(),
  /** Null: no limit. */
  sessionsTotal: count.nullable(),
  usedCount: count,
  lastAt: z.date().nullable(),
  nextAt: z.date().nullable(),
})
export const EnrolmentList = z.object({ items: z.array(EnrolmentRow), next: z.string().nullable() })

export const Availability = AvailabilitySettings.extend({ version: z.number() })

/** Times are in milliseconds since 1970. */
const OfferedSlot = z.object({
  startAt: z.number(),
  mentorIds: z.array(z.string()),
  seatsLeft: count.nullable(),
})

export const BookingOptions = z.object({
  program: z.object({
    id: z.string(),
    title: z.string(),
    description: z.string(),
    sessionMinutes: z.number(),
    cancelHours: z.number(),
    confirmation: z.enum(CONFIRMATIONS),
    assignment: z.enum(ASSIGNMENTS),
    format: z.enum(PROGRAM_FORMATS),
    maxDaysAhead: z.number(),
    questions: z.array(ProgramQuestion),
  }),
  cover: Picture.nullable(),
  mentors: z.array(ProgramMentor.extend({ timeZone: z.string().nullable() })),
  mentorId: z.string().nullable(),
  slots: z.array(OfferedSlot),
  sessionsLeft: count.nullable(),
  hold: z.object({ bookingId: z.string(), startAt: z.date(), expiresAt: z.date() }).nullable(),
  /** The place on the waitlist; `wanted`: the period, null for any time. */
  waiting: z.object({ wanted: z.object({ from: z.date(), to: z.date() }).nullable() }).nullable(),
})

export const BookingOutput = z.object({ bookingId: z.string() })
export const BookedOutput = z.object({ bookingId: z.string(), state: z.enum(BOOKING_STATES) })
export const BookingStateOutput = z.object({ state: z.enum(BOOKING_STATES) })
export const CanceledOutput = z.object({ usesCredit: z.boolean() })

export const SessionOutput = z.object({
  id: z.string(),
  programId: z.string(),
  title: z.string(),
  state: z.enum(BOOKING_STATES),
  startAt: z.date(),
  endAt: z.date(),
  studentName: z.string(),
  mentorName: z.string(),
  place: z.enum(PROGRAM_PLACES),
  placeText: z.string().nullable(),
  linkAt: z.date(),
  isRoomOpen: z.boolean(),
  answers: z.array(BookingAnswer),
  history: z.array(BookingEntry),
  sharedNotes: z.string(),
  homework: z.string(),
  goals: z.array(Goal),
  notesVersion: z.number(),
  privateNotes: z.string().nullable(),
  privateVersion: z.number(),
  rating: z.number().nullable(),
  ratingText: z.string(),
  canRun: z.boolean(),
  canCancel: z.boolean(),
  canMove: z.boolean(),
  losesCredit: z.boolean(),
  hasBegun: z.boolean(),
})

const BookingRow = z.object({
  id: z.string(),
  title: z.string(),
  name: z.string(),
  state: z.enum(BOOKING_STATES),
  startAt: z.date(),
  endAt: z.date(),
  homework: z.string(),
})
const listOf = <Row extends z.ZodType>(row: Row) => z.object({ items: z.array(row), next: z.string().nullable() })
const bookings = listOf(BookingRow)

const Mentee = z.object({
  studentId: z.string(),
  programId: z.string(),
  name: z.string(),
  title: z.string(),
  lastAt: z.date().nullable(),
  nextAt: z.date().nullable(),
  openGoals: count,
})

export const MentorOverviewOutput = z.object({
  requests: bookings,
  upcoming: bookings,
  ended: bookings,
  students: listOf(Mentee),
})

export const StudentOverviewOutput = z.object({
  programs: listOf(
    z.object({
      id: z.string(),
      title: z.string(),
      description: z.string(),
      sessionMinutes: z.number(),
      sessionsTotal: count.nullable(),
      usedCount: count,
      isPublished: z.boolean(),
      cover: Picture.nullable(),
    }),
  ),
  upcoming: bookings,
  past: bookings,
})

const StatisticsRow = z.object({
  title: z.string(),
  mentor: z.string(),
  completed: count,
  upcoming: count,
  canceled: count,
  missed: count,
  minutes: count,
  rating: z.number().nullable(),
})
export const StatisticsOutput = z.array(StatisticsRow)
