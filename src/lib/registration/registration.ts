export { type Attendance, noteAttendance, noteFinished } from './attendance.ts'
export { type EntryLinks, openCalendar } from './calendar.ts'
export {
  apologize,
  approveRegistrations,
  cancelRegistrations,
  type Decided,
  declineRegistrations,
  resendLetter,
} from './decide.ts'
export { addRegistration, type ImportedLine, importRegistrations } from './enter.ts'
export { exportRegistrations } from './export.ts'
export { type Invitation, readInvitation, type Speaker } from './invitation.ts'
export { findByKey, joinKeyOf, joinPath, newJoinKey } from './key.ts'
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
} from './ladder.ts'
export { acceptOffer, cancelOwn, editOwn, type OwnView, openOwn, setReminders, stopReminders } from './own.ts'
export {
  countRegistrations,
  listRegistrations,
  type RegistrationLine,
  type RegistrationPage,
  type StateCounts,
} from './people.ts'
export { type Registered, register, registerMyself, type Visitor } from './register.ts'
export { clockWords, whenWords, zoneWords } from './when.ts'
export { wishNext } from './wish.ts'
