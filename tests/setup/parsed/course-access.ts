import { changeAccess as domainChangeAccess } from '#lib/course/access/change-access.ts'
import { inviteToCourse as domainInviteToCourse } from '#lib/course/access/invite.ts'
import { getMatrix as domainGetMatrix } from '#lib/course/access/matrix.ts'
import { previewCourse as domainPreviewCourse } from '#lib/course/access/preview-course.ts'
import { ChangeAccess, GetMatrix, PreviewCourse } from '#lib/course/access/schema.ts'
import { listCourseStudents as domainListCourseStudents } from '#lib/course/access/students.ts'
import { InviteToCourse, ListCourseStudents } from '#lib/course/schema.ts'
import { parsed } from './parsed.ts'

export const inviteToCourse = parsed(InviteToCourse, domainInviteToCourse)
export const listCourseStudents = parsed(ListCourseStudents, domainListCourseStudents)
export const getMatrix = parsed(GetMatrix, domainGetMatrix)
export const changeAccess = parsed(ChangeAccess, domainChangeAccess)
export const previewCourse = parsed(PreviewCourse, domainPreviewCourse)
