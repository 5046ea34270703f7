import { beforeAll, expect, test } from 'vitest'
import type { Actor } from '#lib/core/shared/actor.ts'
import { grantAccess } from '#lib/course/access/grants.ts'
import { handedIn, learner, type TaskPlace, withTask } from '../setup/course/works.ts'
import { storeFile } from '../setup/files.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../setup/tenants.ts'
import { requestApi } from './api-request.ts'

const MARK = { id: 'mark-1', page: 2, shape: { kind: 'point' as const, x: 0.25, y: 0.1 }, text: 'Тут бракує джерела' }
let home: TestTenant
let place: TaskPlace
let fileId: string
let student: Actor

/** A submission with one PDF that a curator has annotated. */
async function handInMarked(reader: Actor, state: 'in_review' | 'returned') {
  const pdf = { name: 'План.pdf', kind: 'doc', mime: 'application/pdf', area: 'homework', bytes: '%PDF-1.4' } as const
  fileId = await storeFile(reader, pdf)
  const reviewedAt = state === 'returned' ? new Date() : null
  await handedIn(reader, place, { state, fileIds: [fileId], reviewedAt, annotations: [{ ...MARK, fileId }] })
}

beforeAll(async () => {
  home = await createTestTenant()
  student = home.as.STUDENT
  place = await withTask(home.as.OWNER)
  await grantAccess(home.as.OWNER, { courseId: place.courseId, studentId: student.membershipId })
  await handInMarked(student, 'returned')
})

const read = (actor: Actor | null) => requestApi('GET', `homework/get?lessonId=${place.lessonId}`, { actor })

test('the student receives annotations on their own PDF with positions, and the file to show them on', async () => {
  const { status, body } = await read(student)
  expect(status).toBe(200)
  const [task] = Object.values(body) as { attempts: { files: object[]; verdict: object }[] }[]
  const attempt = task?.attempts[0]
  expect(attempt?.verdict).toMatchObject({ annotations: [{ ...MARK, fileId }] })
  expect(attempt?.files[0]).toMatchObject({ id: fileId, mime: 'application/pdf', address: expect.any(String) })
})

test('nobody else receives them: another student of the course, another tenant, staff by this call, a visitor', async () => {
  const other = await learner(home, place.courseId, 'other@kafedra.test')
  const theirs = await createOtherTenant()
  const own = await read(other)
  expect(own.status).toBe(200)
  for (const answer of [own, await read(theirs.as.STUDENT), await read(home.as.CURATOR), await read(null)]) {
    expect(JSON.stringify(answer.body)).not.toContain(MARK.text)
    expect(JSON.stringify(answer.body)).not.toContain(fileId)
  }
  expect(await read(theirs.as.STUDENT)).toMatchObject({ status: 404 })
  expect(await read(home.as.CURATOR)).toMatchObject({ status: 403 })
  expect(await read(null)).toMatchObject({ status: 401 })
})

test('annotations the reviewer has not sent yet are not shown', async () => {
  const second = await learner(home, place.courseId, 'second@kafedra.test')
  await handInMarked(second, 'in_review')
  expect(JSON.stringify((await read(second)).body)).not.toContain(MARK.text)
})
