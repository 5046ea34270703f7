export { type Attendance, noteAttendance, noteFinished } from './attendance.ts'
export { type EntryLinks, openCalendar } from './calendar.ts'
export {
  getLadder,
  type Ladder,
  listLetters,
  previewLetter,
  type Rung,
  recallLetters,
  type SentLetter,
  saveLetters,
  sendTestLetters,
} from './email/reminder-schedule.ts'
export { clockWords, whenWords, zoneWords } from './email/time-texts.ts'
export { type Invitation, readInvitation, type Speaker } from './invitation.ts'
export { findByKey, joinKeyOf, joinPath, newJoinKey } from './key.ts'
export { acceptOffer, cancelOwn, editOwn, type OwnView, openOwn, setReminders, stopReminders } from './own.ts'
export { type EntryRegistration, findForEntry, moveToSession } from './pass.ts'
export {
  apologize,
  approveRegistrations,
  cancelRegistrations,
  type Decided,
  declineRegistrations,
  resendLetter,
} from './people/decide.ts'
export { exportRegistrations } from './people/export.ts'
export { addRegistration, type ImportedLine, importRegistrations } from './people/import.ts'
export {
  countRegistrations,
  listRegistrations,
  type RegistrationLine,
  type RegistrationPage,
  type StateCounts,
} from './people/people.ts'
export { type Registered, register, registerMyself, type Visitor } from './register.ts'
export { wishNext } from './wish.ts'
