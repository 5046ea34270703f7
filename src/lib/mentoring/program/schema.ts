import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { isSafeHref } from '#lib/core/shared/lesson-doc.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'

export const PROGRAM_STATUSES = ['draft', 'published', 'archived'] as const
export type ProgramStatus = (typeof PROGRAM_STATUSES)[number]
export const PROGRAM_FORMATS = ['individual', 'group'] as const
/** `room` is the room of webinars, for the mentor and the students of a session only. */
export const PROGRAM_PLACES = ['room', 'link', 'phone', 'office'] as const
export const CONFIRMATIONS = ['auto', 'mentor'] as const
export const ASSIGNMENTS = ['studentChooses', 'roundRobin', 'fixed'] as const
export const ENROLMENT_SOURCES = ['manual', 'group', 'offer'] as const

export const MAX_PROGRAM_QUESTIONS = 10
const MAX_MENTORS = 50

const id = z.uuid()
/** Minutes of a slot's time, in steps of five, so that slots of all programs have common boundaries. */
const minutes = (least: number, most: number) => z.int32().min(least).max(most).multipleOf(5)

/** A question to the student before a session. */
export const ProgramQuestion = z.object({
  id: z.string().regex(/^[\w-]{1,40}$/),
  label: textLine(160).min(1, 'required'),
  required: z.boolean().default(false),
})
export type ProgramQuestion = z.output<typeof ProgramQuestion>

/** The fields of a program, without the rules between them. */
const ProgramFields = z.object({
  title: textLine(160).min(1, 'required'),
  description: multilineText(4000).default(''),
  coverFileId: id.nullable().default(null),
  mentorIds: z.array(id).max(MAX_MENTORS).default([]),
  format: z.enum(PROGRAM_FORMATS).default('individual'),
  /** Seats of a group session; an individual one has one. */
  seats: z.int32().min(1).max(100).default(1),
  sessionMinutes: minutes(15, 180).default(60),
  /** Free time before and after a session; those of neighbouring sessions add up. */
  bufferBefore: minutes(0, 120).default(0),
  bufferAfter: minutes(0, 120).default(0),
  minNoticeHours: z.int32().min(0).max(720).default(12),
  maxDaysAhead: z.int32().min(1).max(180).default(60),
  slotStepMinutes: minutes(5, 240).default(30),
  /** Sessions of a mentor in this program on one day; null: no limit. */
  perDayMax: z.int32().min(1).max(50).nullable().default(null),
  /** Sessions that a student may have booked at the same time. */
  perStudentOpenMax: z.int32().min(1).max(50).default(1),
  /** Sessions that a student gets with access; null: no limit. */
  sessionsIncluded: z.int32().min(1).max(1000).nullable().default(null),
  /** Until how many hours before the start a student may cancel without losing a session. */
  cancelHours: z.int32().min(0).max(720).default(12),
  /** How often a student may move one session. */
  reschedules: z.int32().min(0).max(20).default(2),
  confirmation: z.enum(CONFIRMATIONS).default('auto'),
  assignment: z.enum(ASSIGNMENTS).default('studentChooses'),
  place: z.enum(PROGRAM_PLACES).default('link'),
  /** The link, phone number or address of the place. */
  placeText: textLine(500).default(''),
  questions: z.array(ProgramQuestion).max(MAX_PROGRAM_QUESTIONS).default([]),
})

/** Everything that the editor of a program saves. A draft may be incomplete: see `listProgramGaps`. */
export const ProgramSettings = ProgramFields.superRefine((program, { addIssue }) => {
  const refuse = (path: keyof typeof program, message: string) => addIssue({ code: 'custom', path: [path], message })
  if (program.place === 'link' && program.placeText !== '' && !isWebAddress(program.placeText)) {
    refuse('placeText', 'program_link')
  }
  if (program.format === 'group' && program.seats < 2) refuse('seats', 'program_seats')
})
export type ProgramSettings = z.output<typeof ProgramSettings>

const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && isSafeHref(text)

export const ProgramId = z.object({ programId: id })
export type ProgramId = z.output<typeof ProgramId>
export const ListPrograms = z.object({ view: z.enum(['active', 'archived']).default('active'), cursor: Cursor })
export type ListPrograms = z.output<typeof ListPrograms>
export const PROGRAM_ACTIONS = ['publish', 'unpublish', 'archive', 'restore'] as const
export const ChangeProgramStatus = ProgramId.extend({ action: z.enum(PROGRAM_ACTIONS) })
export const CreateProgram = z.object({ programId: id, title: ProgramFields.shape.title })
export type CreateProgram = z.output<typeof CreateProgram>
export const SaveProgram = z.object({ programId: id, version: z.int32().min(1), settings: ProgramSettings })
export type SaveProgram = z.output<typeof SaveProgram>

/** Students who get access: named ones, or the members of a study group. */
export const EnrolStudents = z.object({
  programId: id,
  studentIds: z.array(id).max(500).default([]),
  groupId: id.nullable().default(null),
  /** The mentor of a program with the assignment `fixed`. */
  mentorId: id.nullable().default(null),
  /** Null: without a limit. */
  sessionsTotal: z.int32().min(1).max(1000).nullable(),
})
export type EnrolStudents = z.output<typeof EnrolStudents>

export const ListEnrolments = ProgramId.extend({
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export type ListEnrolments = z.output<typeof ListEnrolments>

export const EnrolmentId = z.object({ enrolmentId: id })
export type EnrolmentId = z.output<typeof EnrolmentId>
export const ChangeEnrolment = EnrolmentId.extend({
  sessionsTotal: EnrolStudents.shape.sessionsTotal,
  mentorId: id.nullable().optional(),
})
export type ChangeEnrolment = z.output<typeof ChangeEnrolment>
