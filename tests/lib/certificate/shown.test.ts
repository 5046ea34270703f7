import { beforeAll, expect, test } from 'vitest'
import { claimCertificate } from '#lib/certificate/issue/claim.ts'
import { issueDue } from '#lib/certificate/issue/issue.ts'
import { revokeCertificate } from '#lib/certificate/issue/lifecycle.ts'
import { loadSample } from '#lib/certificate/template/sample.ts'
import { listSection } from '#lib/student/card/list-section.ts'
import { cardSections } from '#lib/student-card.ts'
import { completeCourse, createCertifiedCourse } from '../../setup/course/earned-certificate.ts'
import { addTestMember, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

let ours: TestTenant
beforeAll(async () => {
  ours = await createTestTenant()
})

test('the student card lists the certificates with their state, and leads to the public page', async () => {
  const { OWNER, STUDENT } = ours.as
  const course = await createCertifiedCourse(OWNER)
  await completeCourse(OWNER, STUDENT, course)
  const { courseId } = course
  const { certificateId } = await claimCertificate(STUDENT, { courseId, name: 'Олена Шевчук', delivery: null })
  const show = () => listSection(OWNER, { studentId: STUDENT.membershipId, section: 'certificates' }, cardSections)
  expect((await show()).items).toMatchObject([{ id: certificateId, stateKey: 'certificate:state.pending', href: null }])
  await issueDue({ tenantId: ours.tenant.id, courseId }, { signal: new AbortController().signal })
  expect((await show()).items).toMatchObject([
    { stateKey: 'certificate:state.issued', isGood: true, href: expect.stringMatching(/^\/c\//) },
  ])
  await revokeCertificate(OWNER, { certificateId, reason: 'Помилка' })
  expect((await show()).items).toMatchObject([{ stateKey: 'certificate:state.revoked', isGood: false }])
})

test('the preview of a template has the longest real name of the students of the course', async () => {
  const { OWNER } = ours.as
  const course = await createCertifiedCourse(OWNER)
  const sampleName = async () =>
    (await loadSample(OWNER, { template: { locale: 'uk' }, courseId: course.courseId })).texts.name
  const withoutStudents = await sampleName()
  const student = await addTestMember(ours, 'STUDENT', 'longest@school.test')
  await completeCourse(OWNER, student, course)
  const name = `${student.firstName} ${student.lastName}`.trim()
  expect(name).not.toBe('')
  expect(await sampleName()).toBe(name)
  expect(withoutStudents).not.toBe(name)
})
