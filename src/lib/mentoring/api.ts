import { NoInput, NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { getAvailability, saveAvailability } from './availability/availability.ts'
import { SaveAvailability } from './availability/schema.ts'
import { answerBooking, cancelBooking } from './booking/answer.ts'
import { bookSession, holdSlot, moveBooking, releaseHold } from './booking/booking.ts'
import { joinWaitlist, leaveWaitlist } from './booking/join-waitlist.ts'
import { moveSession } from './booking/move-session.ts'
import { getBookingPage } from './booking/read-booking.ts'
import * as booking from './booking/schema.ts'
import * as output from './output-schema.ts'
import {
  changeEnrolment,
  enrolStudents,
  listEnrolments,
  restoreEnrolment,
  revokeEnrolment,
} from './program/enrolment.ts'
import { listPrograms } from './program/list.ts'
import { changeProgramStatus, createProgram, getProgram, saveProgram } from './program/program.ts'
import { MENTOR_ROLES } from './program/rules.ts'
import * as program from './program/schema.ts'
import { getMentorOverview, getStudentOverview } from './session/overview.ts'
import * as session from './session/schema.ts'
import { getSession, rateSession, saveNotes, savePrivateNotes } from './session/session.ts'
import { listMentoringStatistics } from './session/statistics.ts'

const staff = procedureForRoles(...MENTOR_ROLES)
const content = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')
const student = procedureForRoles('STUDENT')
const participant = procedureForRoles(...MENTOR_ROLES, 'STUDENT')

const programs = {
  listPrograms: staff
    .route({ summary: 'Returns the mentoring programs, those of the actor first' })
    .input(program.ListPrograms)
    .output(output.ProgramList)
    .handler(({ input, context }) => listPrograms(context.actor, input)),
  getProgram: staff
    .route({ summary: 'Returns a mentoring program with its settings and mentors' })
    .input(program.ProgramId)
    .output(output.ProgramDetails)
    .handler(({ input, context }) => getProgram(context.actor, input)),
  createProgram: content
    .route({ summary: 'Creates a draft of a mentoring program; the same id again is the same program' })
    .input(program.CreateProgram)
    .output(program.ProgramId)
    .handler(({ input, context }) => createProgram(context.actor, input)),
  saveProgram: staff
    .route({ summary: 'Saves the settings of a mentoring program' })
    .input(program.SaveProgram)
    .output(output.VersionOutput)
    .handler(({ input, context }) => saveProgram(context.actor, input)),
  changeProgramStatus: staff
    .route({ summary: 'Publishes, hides, archives or restores a mentoring program' })
    .input(program.ChangeProgramStatus)
    .output(output.ProgramStatusOutput)
    .handler(({ input, context }) => changeProgramStatus(context.actor, input)),
  listEnrolments: staff
    .route({ summary: 'Returns the students with access to a program, each with the balance' })
    .input(program.ListEnrolments)
    .output(output.EnrolmentList)
    .handler(({ input, context }) => listEnrolments(context.actor, input)),
  enrolStudents: staff
    .route({ summary: 'Gives students access to a program' })
    .input(program.EnrolStudents)
    .output(output.CountOutput)
    .handler(({ input, context }) => enrolStudents(context.actor, input)),
  changeEnrolment: staff
    .route({ summary: 'Changes the number of sessions and the mentor of a student' })
    .input(program.ChangeEnrolment)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await changeEnrolment(context.actor, input)
      return noOutput()
    }),
  revokeEnrolment: staff
    .route({ summary: 'Ends the access of a student to a program' })
    .input(program.EnrolmentId)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await revokeEnrolment(context.actor, input)
      return noOutput()
    }),
  restoreEnrolment: staff
    .route({ summary: 'Undoes the end of the access of a student to a program' })
    .input(program.EnrolmentId)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await restoreEnrolment(context.actor, input)
      return noOutput()
    }),
}

const bookings = {
  getBookingOptions: student
    .route({ summary: 'Returns mentors, free times and the balance of a student in a program' })
    .input(booking.BookingQuery)
    .output(output.BookingOptions)
    .handler(({ input, context }) => getBookingPage(context.actor, input)),
  holdSlot: student
    .route({ summary: 'Reserves a time for five minutes' })
    .input(booking.HoldSlot)
    .output(output.BookingOutput)
    .handler(({ input, context }) => holdSlot(context.actor, input)),
  releaseHold: student
    .route({ summary: 'Ends the reservation of a time' })
    .input(booking.BookingId)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await releaseHold(context.actor, input)
      return noOutput()
    }),
  bookSession: student
    .route({ summary: 'Books the reserved time' })
    .input(booking.BookSession)
    .output(output.BookedOutput)
    .handler(({ input, context }) => bookSession(context.actor, input)),
  moveBooking: student
    .route({ summary: 'Moves an own session to another free time' })
    .input(booking.MoveBooking)
    .output(output.BookingOutput)
    .handler(({ input, context }) => moveBooking(context.actor, input)),
  joinWaitlist: student
    .route({ summary: 'Puts the student on the waitlist of a program, for any time or a period' })
    .input(booking.JoinWaitlist)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await joinWaitlist(context.actor, input)
      return noOutput()
    }),
  leaveWaitlist: student
    .route({ summary: 'Takes the student off the waitlist of a program' })
    .input(program.ProgramId)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await leaveWaitlist(context.actor, input)
      return noOutput()
    }),
  answerBooking: staff
    .route({ summary: 'Confirms a requested session, or states how a session ended' })
    .input(booking.AnswerBooking)
    .output(output.BookingStateOutput)
    .handler(({ input, context }) => answerBooking(context.actor, input)),
  moveSession: staff
    .route({ summary: 'Moves a session with all its students to another time, with a reason' })
    .input(booking.MoveSession)
    .output(output.BookingOutput)
    .handler(({ input, context }) => moveSession(context.actor, input)),
  cancelBooking: participant
    .route({ summary: 'Cancels a session with a reason' })
    .input(booking.CancelBooking)
    .output(output.CanceledOutput)
    .handler(({ input, context }) => cancelBooking(context.actor, input)),
}

const sessions = {
  getSession: participant
    .route({ summary: 'Returns a session with notes, homework and goals' })
    .input(booking.BookingId)
    .output(output.SessionOutput)
    .handler(({ input, context }) => getSession(context.actor, input)),
  saveNotes: staff
    .route({ summary: 'Saves shared notes, homework and goals of a session' })
    .input(session.SaveNotes)
    .output(output.VersionOutput)
    .handler(({ input, context }) => saveNotes(context.actor, input)),
  savePrivateNotes: staff
    .route({ summary: 'Saves the private notes of the mentor' })
    .input(session.SavePrivateNotes)
    .output(output.VersionOutput)
    .handler(({ input, context }) => savePrivateNotes(context.actor, input)),
  rateSession: student
    .route({ summary: 'Rates an own session' })
    .input(session.RateSession)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await rateSession(context.actor, input)
      return noOutput()
    }),
  getMentorOverview: staff
    .route({ summary: 'Returns the requests, sessions and students of the actor as a mentor' })
    .input(session.MentorOverviewQuery)
    .output(output.MentorOverviewOutput)
    .handler(({ input, context }) => getMentorOverview(context.actor, input)),
  getStudentOverview: student
    .route({ summary: 'Returns the programs and sessions of the actor as a student' })
    .input(session.StudentOverviewQuery)
    .output(output.StudentOverviewOutput)
    .handler(({ input, context }) => getStudentOverview(context.actor, input)),
  listStatistics: staff
    .route({ summary: 'Returns the numbers of sessions by program and mentor' })
    .input(session.MentoringStatisticsQuery)
    .output(output.StatisticsOutput)
    .handler(({ input, context }) => listMentoringStatistics(context.actor, input)),
  getAvailability: staff
    .route({ summary: 'Returns the hours of the actor as a mentor' })
    .input(NoInput)
    .output(output.Availability)
    .handler(({ context }) => getAvailability(context.actor)),
  saveAvailability: staff
    .route({ summary: 'Saves the hours of the actor as a mentor' })
    .input(SaveAvailability)
    .output(output.VersionOutput)
    .handler(({ input, context }) => saveAvailability(context.actor, input)),
}

/** Procedures of mentoring programs, bookings and sessions. */
export const mentoring = { ...programs, ...bookings, ...sessions }
