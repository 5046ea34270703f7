import { randomUUID } from 'node:crypto'
import { claimCertificate } from '#lib/certificate/issue/claim.ts'
import { issueCertificates, issueDue } from '#lib/certificate/issue/issue.ts'
import { changeRequest } from '#lib/certificate/request/request.ts'
import { saveRule } from '#lib/certificate/rule/rule.ts'
import { RuleText } from '#lib/certificate/rule/schema.ts'
import { createTemplate } from '#lib/certificate/template/template.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { ImportedCourse } from '../import-course.ts'

/** A student who has completed both courses. */
export const GRADUATE = 'bohdan.marchenko@lektoriy.test'

interface Courses {
  expert: Actor
  voice: ImportedCourse
  webinar: ImportedCourse
}

/** Rules and templates of two courses, and a certificate of each type for one student: a PDF and one on paper. */
export async function issueCertificatesTo(student: Actor, { expert, voice, webinar }: Courses): Promise<void> {
  const name = `${student.firstName} ${student.lastName}`
  const rule = { ...RuleText.parse({}), hours: 12, version: 0 }
  const electronic = { courseId: voice.courseId, templateId: await addTemplate(expert, 'classic'), validMonths: 24 }
  await saveRule(expert, { ...rule, ...electronic })
  await claimCertificate(student, { courseId: voice.courseId, name, delivery: null })
  await issueCertificates(expert, { courseId: voice.courseId, studentIds: [student.membershipId] })
  await issueDue({ tenantId: expert.tenantId, courseId: voice.courseId }, { signal: new AbortController().signal })

  const onPaper = {
    courseId: webinar.courseId,
    templateId: await addTemplate(expert, 'modern'),
    type: 'manual' as const,
  }
  await saveRule(expert, { ...rule, ...onPaper })
  const delivery = { recipient: name, phone: '+380 67 000 00 00', address: 'Львів, відділення № 12' }
  const { certificateId } = await claimCertificate(student, { courseId: webinar.courseId, name, delivery })
  await changeRequest(expert, { certificateId, action: 'approve' })
  await changeRequest(expert, { certificateId, action: 'produce' })
  await changeRequest(expert, { certificateId, action: 'send', trackingNumber: '20450000000001' })
}

async function addTemplate(expert: Actor, preset: 'classic' | 'modern'): Promise<string> {
  const { templateId } = await createTemplate(expert, { templateId: randomUUID(), preset, locale: 'uk' })
  return templateId
}
