import { listAttendance as domainListAttendance } from '#lib/attendance/attendance.ts'
import { ListAttendance } from '#lib/attendance/schema.ts'
import { parsed } from './parsed.ts'

export const listAttendance = parsed(ListAttendance, domainListAttendance)
