import {
  duplicateLessons as domainDuplicateLessons,
  duplicateModule as domainDuplicateModule,
} from '#lib/course/outline/duplicate.ts'
import { duplicateCourse as domainDuplicateCourse } from '#lib/course/outline/duplicate-course.ts'
import { addLesson as domainAddLesson } from '#lib/course/outline/outline.ts'
import { DuplicateCourse, DuplicateLessons, DuplicateModule } from '#lib/course/outline/schema.ts'
import { AddLesson } from '#lib/course/schema.ts'
import { parsed } from './parsed.ts'

export const duplicateLessons = parsed(DuplicateLessons, domainDuplicateLessons)
export const duplicateModule = parsed(DuplicateModule, domainDuplicateModule)
export const duplicateCourse = parsed(DuplicateCourse, domainDuplicateCourse)
export const addLesson = parsed(AddLesson, domainAddLesson)
