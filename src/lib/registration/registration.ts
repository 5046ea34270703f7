export { type Attendance, noteAttendance, noteFinished } from './attendance.ts'
export { findByKey, joinKeyOf, joinPath, newJoinKey } from './key.ts'
