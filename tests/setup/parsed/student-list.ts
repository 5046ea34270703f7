import { exportStudents as domainExportStudents } from '#lib/student/list/export.ts'
import { countMatching as domainCountMatching, listStudents as domainListStudents } from '#lib/student/list/list.ts'
import { ListStudents, StudentFilter } from '#lib/student/list/schema.ts'
import { parsed } from './parsed.ts'

export const listStudents = parsed(ListStudents, domainListStudents)
export const countMatching = parsed(StudentFilter, domainCountMatching)
export const exportStudents = parsed(ListStudents, domainExportStudents)
