import { registerStudent as domainRegisterStudent } from '#lib/student/acceptance.ts'
import { listInvitations as domainListInvitations } from '#lib/student/invitation-list/invitation-list.ts'
import { ListInvitations } from '#lib/student/invitation-list/schema.ts'
import { createStudentMessage as domainCreateStudentMessage } from '#lib/student/message/message.ts'
import { CreateStudentMessage } from '#lib/student/message/schema.ts'
import { RegisterStudent } from '#lib/student/schema.ts'
import { parsed, parsedFirst } from './parsed.ts'

export const registerStudent = parsedFirst(RegisterStudent, domainRegisterStudent)
export const createStudentMessage = parsed(CreateStudentMessage, domainCreateStudentMessage)
export const listInvitations = parsed(ListInvitations, domainListInvitations)
