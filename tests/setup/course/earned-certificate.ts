import { randomUUID } from 'node:crypto'
import { saveRule } from '#lib/certificate/rule/rule.ts'
import { RuleText, type SaveRule } from '#lib/certificate/rule/schema.ts'
import { createTemplate } from '#lib/certificate/template/template.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { createCourse } from '#lib/course/course.ts'
import { completeLesson } from '#lib/course/learning/completion.ts'
import { addLesson, addModule } from '#lib/course/outline/outline.ts'
import { publishCourse } from '#lib/course/publish.ts'

export interface CertifiedCourse {
  courseId: string
  lessonIds: string[]
  templateId: string
}

/** A published course of two lessons with a rule for certificates. */
export async function createCertifiedCourse(owner: Actor, rule: Partial<SaveRule> = {}): Promise<CertifiedCourse> {
  const { courseId } = await createCourse(owner, { title: 'Основи фотографії', shortDescription: '', language: 'uk' })
  const { moduleId } = await addModule(owner, { courseId, title: 'Світло' })
  const blocks = { type: 'doc' as const, content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Зміст' }] }] }
  const lessonIds: string[] = []
  for (const title of ['Перший урок', 'Другий урок']) {
    const { lessonId } = await addLesson(owner, { moduleId, title, blocks })
    lessonIds.push(lessonId)
  }
  await publishCourse(owner, { courseId })
  const { templateId } = await createTemplate(owner, { templateId: randomUUID(), preset: 'classic', locale: 'uk' })
  await saveRule(owner, { ...RuleText.parse({}), templateId, ...rule, courseId, version: 0 })
  return { courseId, lessonIds, templateId }
}

/** Completes a course as a student. */
export async function completeCourse(owner: Actor, student: Actor, course: CertifiedCourse): Promise<void> {
  await grantAccess(owner, { courseId: course.courseId, studentId: student.membershipId })
  for (const lessonId of course.lessonIds) await completeLesson(student, { lessonId })
}
