import { beforeAll, expect, test } from 'vitest'
import { claimCertificate, listOwnCertificates } from '#lib/certificate/issue/claim.ts'
import { readCertificate } from '#lib/certificate/issue/public.ts'
import { changeRequest, listRequests, setScan } from '#lib/certificate/request/request.ts'
import { ChangeRequest, ListRequests } from '#lib/certificate/request/schema.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { auditedActions } from '../../setup/audit.ts'
import { completeCourse, createCertifiedCourse } from '../../setup/course/earned-certificate.ts'
import { insertFiles } from '../../setup/files.ts'
import { listEmailsTo } from '../../setup/servers/sent-emails.ts'
import { addTestMember, createOtherTenant, createTestTenant, type TestTenant } from '../../setup/tenants.ts'

const code = (refused: string) => expect.objectContaining({ code: refused })
const delivery = { recipient: 'Ґанна Їжакевич', phone: '+380 67 000 00 00', address: 'Київ, відділення 12' }

let ours: TestTenant
let theirs: TestTenant
let owner: Actor
beforeAll(async () => {
  ours = await createTestTenant()
  theirs = await createOtherTenant()
  owner = ours.as.OWNER
})

let students = 0
async function requested() {
  students += 1
  const student = await addTestMember(ours, 'STUDENT', `paper-${students}@school.test`)
  const course = await createCertifiedCourse(owner, { type: 'manual' })
  await completeCourse(owner, student, course)
  const { courseId } = course
  const { certificateId } = await claimCertificate(student, { courseId, name: 'Ґанна Їжакевич', delivery })
  return { student, courseId, certificateId }
}

test('a request goes through all its states, each with one email, and gets a number when it is produced', async () => {
  const { student, courseId, certificateId } = await requested()
  const again = await claimCertificate(student, { courseId, name: 'Інше ім’я', delivery })
  expect(again).toEqual({ certificateId })
  const step = (action: 'approve' | 'produce' | 'receive') => changeRequest(owner, { certificateId, action })
  await expect(step('produce')).rejects.toEqual(code('conflict'))
  expect(await step('approve')).toEqual({ state: 'approved' })
  expect(await step('approve')).toEqual({ state: 'approved' })
  expect(await step('produce')).toEqual({ state: 'produced' })
  expect(await changeRequest(owner, { certificateId, action: 'send', trackingNumber: '20450000000001' })).toEqual({
    state: 'sent',
  })
  expect(await step('receive')).toEqual({ state: 'received' })
  const actions = await auditedActions(owner, student.membershipId)
  expect(actions.filter((action) => action === 'certificate.request_changed')).toHaveLength(4)
  const [own] = await listOwnCertificates(student)
  expect(own).toMatchObject({ state: 'received', name: 'Ґанна Їжакевич', trackingNumber: '20450000000001' })
  expect((await readCertificate(ours.tenant.id, own?.publicId ?? '')).number).toBe(own?.number)
  const subjects = (await listEmailsTo(student.email, ours.tenant.id)).map(({ subject }) => subject.split(':')[0])
  expect(subjects.sort()).toEqual(
    [
      'Запит на сертифікат прийнято',
      'Запит на сертифікат схвалено',
      'Сертифікат виготовлено',
      'Сертифікат надіслано',
      'Сертифікат отримано',
    ].sort(),
  )
  const { items } = await listRequests(owner, ListRequests.parse({ courseId, state: 'received' }))
  expect(items).toMatchObject([{ id: certificateId, delivery, history: { length: 5 } }])
})

test('a declined request has a reason, and the student may ask again', async () => {
  const { student, courseId, certificateId } = await requested()
  const decline = (reason: string) => changeRequest(owner, { certificateId, action: 'decline', reason })
  expect(ChangeRequest.safeParse({ certificateId, action: 'decline', reason: ' ' }).success).toBe(false)
  expect(await decline('Немає адреси')).toEqual({ state: 'declined' })
  expect((await listOwnCertificates(student))[0]).toMatchObject({ state: 'declined', reason: 'Немає адреси' })
  const second = await claimCertificate(student, { courseId, name: 'Ґанна', delivery })
  expect(second.certificateId).not.toBe(certificateId)
})

test('a request needs an address', async () => {
  const student = await addTestMember(ours, 'STUDENT', 'no-address@school.test')
  const course = await createCertifiedCourse(owner, { type: 'manual' })
  await completeCourse(owner, student, course)
  await expect(claimCertificate(student, { courseId: course.courseId, name: 'Ім’я', delivery: null })).rejects.toEqual(
    code('invalid'),
  )
})

test('curators who are not assigned, students and other schools change nothing', async () => {
  const { courseId, certificateId, student } = await requested()
  const approve = async (actor: Actor) => changeRequest(actor, { certificateId, action: 'approve' })
  await expect(approve(student)).rejects.toEqual(code('forbidden'))
  await expect(approve(ours.as.CURATOR)).rejects.toEqual(code('forbidden'))
  await expect(approve(theirs.as.OWNER)).rejects.toEqual(code('not_found'))
  await expect((async () => listRequests(ours.as.CURATOR, ListRequests.parse({ courseId })))()).rejects.toEqual(
    code('forbidden'),
  )
  await expect(listRequests(theirs.as.OWNER, ListRequests.parse({ courseId }))).rejects.toEqual(code('not_found'))
})

test('a scan is a picture or document of this school', async () => {
  const { certificateId, courseId } = await requested()
  const [image = '', video = ''] = await insertFiles(owner, [
    { name: 'scan.jpg', kind: 'image' },
    { name: 'film.mp4', kind: 'video' },
  ])
  const [foreign = ''] = await insertFiles(theirs.as.OWNER, [{ name: 'scan.jpg', kind: 'image' }])
  await expect(setScan(owner, { certificateId, fileId: video })).rejects.toEqual(code('wrong_type'))
  await expect(setScan(owner, { certificateId, fileId: foreign })).rejects.toEqual(code('wrong_type'))
  await setScan(owner, { certificateId, fileId: image })
  expect((await listRequests(owner, ListRequests.parse({ courseId }))).items[0]?.scan).toEqual({
    id: image,
    name: 'scan.jpg',
  })
})
