import { createCourse as domainCreateCourse, listCourses as domainListCourses } from '#lib/course/course.ts'
import { CreateCourse, ListCourses } from '#lib/course/schema.ts'
import { parsed } from './parsed.ts'

export const createCourse = parsed(CreateCourse, domainCreateCourse)
export const listCourses = parsed(ListCourses, domainListCourses)
