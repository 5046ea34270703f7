import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { accessGrant, lessonProgress } from '#lib/course/learning/table.ts'
import { finishReview, saveReview } from '#lib/homework/review/review.ts'
import { sweepDrafts } from '#lib/homework/submission/draft-sweep.ts'
import { removeAnswerFile, startAnswerUpload, startVoiceUpload } from '#lib/homework/submission/files.ts'
import { getHomework } from '#lib/homework/submission/submission.ts'
import { markVerdictSeen, saveAnswerDraft, submitAnswer, withdrawAnswer } from '#lib/homework/submission/submit.ts'
import { submission } from '#lib/homework/table.ts'
import { deleteTask, restoreTask } from '#lib/homework/task/task.ts'
import { file } from '#lib/storage/table.ts'
import { finishUpload } from '#lib/storage/upload/finish.ts'
import { getQuota } from '#lib/storage/upload/quota.ts'
import { handedIn, learner, type TaskPlace, withTask } from '../../../setup/course/works.ts'
import { whileRowsFail } from '../../../setup/failing-rows.ts'
import { openSubmission } from '../../../setup/parsed/homework-review.ts'
import { listFiles } from '../../../setup/parsed/storage.ts'
import { listEmailsTo } from '../../../setup/servers/sent-emails.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'
import { describeUpload, sendPart } from '../../../setup/uploads.ts'

const reason = (key: string, field = 'form') =>
  expect.objectContaining({ details: expect.objectContaining({ fields: { [field]: [key] } }) })
const code = (name: string) => expect.objectContaining({ code: name })
const bytes = (text: string) => new Uint8Array(Buffer.from(text))

let home: TestTenant
let place: TaskPlace
let n = 0
beforeAll(async () => {
  home = await createTestTenant()
  place = await withTask(home.as.OWNER)
})

const newcomer = (at: TaskPlace = place) => learner(home, at.courseId, `author-${++n}@submit.test`)
const first = { attempt: 1, version: 0 }

async function attempts(actor: Actor, at: TaskPlace = place) {
  const rows = await inTenant(actor, (tx) =>
    tx.select().from(submission).where(eq(submission.taskId, at.taskId)).orderBy(submission.attempt),
  )
  return rows.filter(({ studentId }) => studentId === actor.membershipId)
}

async function progressOf(actor: Actor) {
  const [row] = await inTenant(actor, (tx) =>
    tx.select().from(lessonProgress).where(eq(lessonProgress.studentId, actor.membershipId)),
  )
  return row
}

async function addWorkFile(actor: Actor, name: string, text: string, attempt = 1, at: TaskPlace = place) {
  const { parentId: _, ...described } = await describeUpload(name, bytes(text))
  const { uploadId } = await startAnswerUpload(actor, { taskId: at.taskId, attempt, ...described })
  await sendPart(actor, uploadId, 1, bytes(text))
  await finishUpload(actor, { uploadId })
  return uploadId
}

test('a deleted task accepts no draft, file or submission, and accepts them again once restored', async () => {
  const at = await withTask(home.as.OWNER, {}, 'Курс із видаленим завданням')
  const student = await newcomer(at)
  const { taskId } = at
  await saveAnswerDraft(student, { taskId, ...first, text: 'Почала' })
  await deleteTask(home.as.OWNER, { taskId })
  const refused = expect.objectContaining({ code: 'not_found' })
  await expect(saveAnswerDraft(student, { taskId, attempt: 1, version: 1, text: 'Ще' })).rejects.toEqual(refused)
  await expect(addWorkFile(student, 'a.txt', 'a', 1, at)).rejects.toEqual(refused)
  await expect(submitAnswer(student, { taskId, attempt: 1, text: 'Здаю' })).rejects.toEqual(refused)
  expect(await attempts(student, at)).toMatchObject([{ state: 'draft', text: 'Почала', fileIds: [] }])
  await restoreTask(home.as.OWNER, { taskId })
  expect(await submitAnswer(student, { taskId, attempt: 1, text: 'Здаю' })).toMatchObject({ state: 'submitted' })
})

async function judge(submissionId: string, verdict: 'accept' | 'return') {
  await openSubmission(home.as.EXPERT, { submissionId })
  const feedback = {
    type: 'doc' as const,
    content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Ще раз' }] }],
  }
  const nothing = { score: null, rubricMarks: [], annotations: [], voiceFileId: null }
  const { version } = await saveReview(home.as.EXPERT, { submissionId, version: 1, feedback, ...nothing })
  await finishReview(home.as.EXPERT, { submissionId, verdict, version })
}

describe('a draft', () => {
  test('stores every version based on the newest, and otherwise returns the other text', async () => {
    const student = await newcomer()
    const { taskId } = place
    const { version } = await saveAnswerDraft(student, { taskId, ...first, text: 'Перше ' })
    expect(await saveAnswerDraft(student, { taskId, attempt: 1, version, text: 'Перше ' })).toEqual({ version })
    const second = await saveAnswerDraft(student, { taskId, attempt: 1, version, text: 'Друге' })
    expect(second.version).toBe(version + 1)
    await expect(saveAnswerDraft(student, { taskId, attempt: 1, version, text: 'Третє' })).rejects.toMatchObject({
      details: { data: { version: second.version, text: 'Друге' } },
    })
    const [task] = await getHomework(student, { lessonId: place.lessonId })
    expect(task?.draft).toMatchObject({ attempt: 1, text: 'Друге', version: second.version })
    expect(task?.attempts).toEqual([])
  })

  test('is private: staff, another tenant and a student without a grant are refused', async () => {
    const { taskId } = place
    const draft = { taskId, ...first, text: 'Чуже' }
    await expect(saveAnswerDraft(home.as.EXPERT, draft)).rejects.toEqual(code('forbidden'))
    await expect(saveAnswerDraft((await createOtherTenant()).as.STUDENT, draft)).rejects.toEqual(code('not_found'))
    await expect(saveAnswerDraft(home.as.STUDENT, draft)).rejects.toEqual(code('not_found'))
  })

  test('without activity for two months loses its files, and keeps its text', async () => {
    const student = await newcomer()
    const fileId = await addWorkFile(student, 'Забуте.txt', 'байти')
    await saveAnswerDraft(student, { taskId: place.taskId, attempt: 1, version: 1, text: 'Слова' })
    const late = new Date(Date.now() + 61 * 86_400_000)
    expect(await sweepDrafts(late)).toBeGreaterThan(0)
    expect((await attempts(student))[0]).toMatchObject({ text: 'Слова', fileIds: [] })
    const left = await inTenant(student, (tx) => tx.select({ id: file.id }).from(file).where(eq(file.id, fileId)))
    expect(left).toEqual([])
  })

  test('that cannot be changed does not keep the files of others', async () => {
    const [failing, next] = [await newcomer(), await newcomer()]
    for (const student of [failing, next]) {
      await addWorkFile(student, 'Забуте.txt', 'байти')
      await saveAnswerDraft(student, { taskId: place.taskId, attempt: 1, version: 1, text: 'Слова' })
    }
    const late = new Date(Date.now() + 61 * 86_400_000)
    await whileRowsFail({ table: 'submission', column: 'student_id', value: failing.membershipId }, async () => {
      await expect(sweepDrafts(late)).rejects.toThrow('items failed')
    })
    expect((await attempts(failing))[0]?.fileIds).toHaveLength(1)
    expect((await attempts(next))[0]?.fileIds).toEqual([])
  })
})

describe('submitting', () => {
  test('happens once however often it is clicked, with a receipt, and updates the lesson', async () => {
    const student = await newcomer()
    const work = { taskId: place.taskId, attempt: 1, text: 'Моя відповідь' }
    const [first, two] = await Promise.all([submitAnswer(student, work), submitAnswer(student, work)])
    expect(first).toMatchObject({ state: 'submitted', late: false })
    expect(two.submissionId).toBe(first.submissionId)
    expect(await attempts(student)).toHaveLength(1)
    const emails = await listEmailsTo(student.email, student.tenantId)
    expect(emails.filter(({ subject }) => subject.includes('План заняття'))).toHaveLength(1)
    expect(emails[0]?.link).toContain(`/course/lesson/${place.lessonId}`)
    expect(await progressOf(student)).toMatchObject({ homeworkState: 'submitted', homeworkAcceptedAt: null })
    // The page that was still saving gets the information that nothing is lost.
    expect(await saveAnswerDraft(student, { ...work, version: 0 })).toHaveProperty('version')
    await expect(saveAnswerDraft(student, { ...work, version: 0, text: 'Ще' })).rejects.toEqual(
      reason('homework_closed'),
    )
    await expect(submitAnswer(student, { ...work, text: 'Інше' })).rejects.toEqual(reason('homework_closed'))
  })

  test('sets the response time by the task, otherwise by the course', async () => {
    const own = await withTask(home.as.OWNER, { slaHours: 5 }, 'Зі строком')
    const student = await newcomer(own)
    await submitAnswer(student, { taskId: own.taskId, attempt: 1, text: 'а' })
    const [row] = await attempts(student, own)
    expect((row?.answerBy?.getTime() ?? 0) - (row?.submittedAt?.getTime() ?? 0)).toBe(5 * 3_600_000)
  })

  test('is refused with the reason: empty, without a video, too late, locked', async () => {
    const student = await newcomer()
    await expect(submitAnswer(student, { taskId: place.taskId, attempt: 1, text: ' \n' })).rejects.toEqual(
      reason('homework_empty'),
    )
    const video = await withTask(home.as.OWNER, { type: 'video' }, 'Відео')
    const actor = await newcomer(video)
    await expect(submitAnswer(actor, { taskId: video.taskId, attempt: 1, text: 'Ось' })).rejects.toEqual(
      reason('homework_needs_video'),
    )
    const past = { mode: 'date' as const, at: '2026-01-05T20:00:00.000Z' }
    const over = await withTask(home.as.OWNER, { dueRule: past, latePolicy: 'refuse' }, 'Минуле')
    const late = await newcomer(over)
    await expect(submitAnswer(late, { taskId: over.taskId, attempt: 1, text: 'Ось' })).rejects.toMatchObject({
      details: { fields: { form: ['homework_late'] }, variables: { at: expect.stringContaining('2026') } },
    })
    const marked = await withTask(home.as.OWNER, { dueRule: past }, 'Минуле з позначкою')
    const marker = await newcomer(marked)
    expect(await submitAnswer(marker, { taskId: marked.taskId, attempt: 1, text: 'Ось' })).toMatchObject({ late: true })
    const locked = await newcomer(marked)
    await inTenant(locked, (tx) =>
      tx
        .update(accessGrant)
        .set({ endsAt: new Date(Date.now() - 1000) })
        .where(eq(accessGrant.studentId, locked.membershipId)),
    )
    await expect(submitAnswer(locked, { taskId: marked.taskId, attempt: 1, text: 'Ось' })).rejects.toEqual(
      reason('homework_locked'),
    )
  })

  test("respects a deadline relative to each student's start", async () => {
    const rule = { mode: 'afterStart' as const, days: 3, time: '23:00', zone: 'Europe/Kyiv' }
    const own = await withTask(home.as.OWNER, { dueRule: rule }, 'Від старту')
    const student = await newcomer(own)
    const [task] = await getHomework(student, { lessonId: own.lessonId })
    const days = ((task?.dueAt?.getTime() ?? 0) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(2)
    expect(days).toBeLessThan(4)
  })
})

describe('after submission', () => {
  test('an unopened submission can be withdrawn, an opened one cannot', async () => {
    const student = await newcomer()
    const own = { taskId: place.taskId, attempt: 1 }
    const { submissionId } = await submitAnswer(student, { ...own, text: 'Перше' })
    await withdrawAnswer(student, own)
    await withdrawAnswer(student, own)
    expect((await attempts(student))[0]).toMatchObject({ state: 'draft', submittedAt: null })
    expect(await progressOf(student)).toMatchObject({ homeworkState: 'draft' })
    await submitAnswer(student, { ...own, text: 'Друге' })
    await openSubmission(home.as.EXPERT, { submissionId })
    await expect(withdrawAnswer(student, own)).rejects.toEqual(reason('homework_opened'))
  })

  test('a returned one starts another attempt with its text and files; feedback is visible once given', async () => {
    const student = await newcomer()
    const fileId = await addWorkFile(student, 'План.txt', 'Перший план')
    const { submissionId } = await submitAnswer(student, { taskId: place.taskId, attempt: 1, text: 'Перше' })
    await openSubmission(home.as.EXPERT, { submissionId })
    const [waiting] = await getHomework(student, { lessonId: place.lessonId })
    expect(waiting?.attempts[0]).toMatchObject({ state: 'in_review', verdict: null })
    await judge(submissionId, 'return')
    const [returned] = await getHomework(student, { lessonId: place.lessonId })
    expect(returned?.attempts[0]).toMatchObject({ state: 'returned', fresh: true })
    expect(returned?.attempts[0]?.verdict?.feedback).toContain('Ще раз')
    expect(returned?.draft).toMatchObject({ attempt: 2, text: 'Перше', files: [{ id: fileId, name: 'План.txt' }] })
    await markVerdictSeen(student, { taskId: place.taskId, attempt: 1 })
    await removeAnswerFile(student, { taskId: place.taskId, attempt: 2, fileId })
    await submitAnswer(student, { taskId: place.taskId, attempt: 2, text: 'Друге' })
    const [again] = await getHomework(student, { lessonId: place.lessonId })
    expect(again?.attempts.map(({ attempt, text, files }) => [attempt, text, files.length])).toEqual([
      [2, 'Друге', 0],
      [1, 'Перше', 1],
    ])
    expect(again?.attempts[1]?.fresh).toBe(false)
  })

  test('attempts are limited by the task, and the sample answer is visible after acceptance', async () => {
    const sampleAnswer = {
      type: 'doc' as const,
      content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Зразок' }] }],
    }
    const own = await withTask(
      home.as.OWNER,
      { maxAttempts: 1, sampleAnswer, showSample: 'afterAccept' },
      'Одна спроба',
    )
    const [failing, passing] = [await newcomer(own), await newcomer(own)]
    await judge((await submitAnswer(failing, { taskId: own.taskId, attempt: 1, text: 'а' })).submissionId, 'return')
    await expect(submitAnswer(failing, { taskId: own.taskId, attempt: 2, text: 'б' })).rejects.toEqual(
      reason('homework_no_attempts'),
    )
    const [closed] = await getHomework(failing, { lessonId: own.lessonId })
    expect(closed).toMatchObject({ draft: null, closedReason: 'exhausted', sample: null })
    await judge((await submitAnswer(passing, { taskId: own.taskId, attempt: 1, text: 'а' })).submissionId, 'accept')
    const [done] = await getHomework(passing, { lessonId: own.lessonId })
    expect(done?.sample).toContain('Зразок')
    expect(await progressOf(passing)).toMatchObject({ homeworkState: 'accepted', homeworkAcceptedAt: expect.any(Date) })
  })
})

describe('files of an answer', () => {
  test('are uploaded by the student, count for the school, and are not listed among its own files', async () => {
    const student = await newcomer()
    const before = await getQuota(home.as.OWNER)
    const fileId = await addWorkFile(student, 'Здана-робота.txt', 'двадцять байтів тексту')
    expect((await getQuota(home.as.OWNER)).used).toBeGreaterThan(before.used)
    expect((await listFiles(home.as.OWNER, { search: 'Здана-робота' })).rows).toEqual([])
    expect((await attempts(student))[0]?.fileIds).toEqual([fileId])
    await removeAnswerFile(student, { taskId: place.taskId, attempt: 1, fileId })
    await removeAnswerFile(student, { taskId: place.taskId, attempt: 1, fileId })
    expect((await attempts(student))[0]?.fileIds).toEqual([])
    expect((await getQuota(home.as.OWNER)).used).toBe(before.used)
  })

  test('resume after an interruption, and delay the submission until they are complete', async () => {
    const student = await newcomer()
    const { parentId: _, ...described } = await describeUpload('Довге.txt', bytes('довгий файл'))
    const upload = { taskId: place.taskId, attempt: 1, ...described }
    const { uploadId } = await startAnswerUpload(student, upload)
    expect((await startAnswerUpload(student, upload)).uploadId).toBe(uploadId)
    const work = { taskId: place.taskId, attempt: 1, text: 'Ось' }
    await expect(submitAnswer(student, work)).rejects.toEqual(reason('homework_uploading'))
    await removeAnswerFile(student, { ...work, fileId: uploadId })
    expect(await submitAnswer(student, work)).toMatchObject({ state: 'submitted' })
  })

  test("are refused by type, size and number, and another person's upload is not found", async () => {
    const own = await withTask(home.as.OWNER, { acceptTypes: ['image'], maxBytes: 2048, maxFiles: 1 }, 'Лише малюнки')
    const [student, other] = [await newcomer(own), await newcomer(own)]
    await expect(addWorkFile(student, 'a.txt', 'слова', 1, own)).rejects.toEqual(reason('homework_type', 'file'))
    await expect(addWorkFile(student, 'a.txt', 'с'.repeat(3000), 1, own)).rejects.toEqual(
      reason('file_too_large', 'file'),
    )
    const many = await withTask(home.as.OWNER, { maxFiles: 1 }, 'Один файл')
    const first = await newcomer(many)
    const fileId = await addWorkFile(first, 'a.txt', 'перший', 1, many)
    await expect(addWorkFile(first, 'b.txt', 'другий', 1, many)).rejects.toEqual(reason('homework_many_files', 'file'))
    await expect(finishUpload(other, { uploadId: fileId })).rejects.toEqual(code('not_found'))
  })

  test('a reviewer who holds the lock can add voice feedback', async () => {
    const student = await newcomer()
    const submissionId = await handedIn(student, place)
    const { parentId: _, ...described } = await describeUpload('голос.txt', bytes('не голос'))
    await expect(startVoiceUpload(home.as.EXPERT, { submissionId, ...described })).rejects.toEqual(code('conflict'))
    await openSubmission(home.as.EXPERT, { submissionId })
    await expect(startVoiceUpload(home.as.EXPERT, { submissionId, ...described })).rejects.toEqual(
      reason('homework_type', 'file'),
    )
    // The beginning of a WebM file, as a browser's recorder writes it.
    const webm = '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701ffffff'
    const { parentId: __, ...voice } = await describeUpload('голос.webm', new Uint8Array(Buffer.from(webm, 'hex')))
    expect(await startVoiceUpload(home.as.EXPERT, { submissionId, ...voice })).toHaveProperty('uploadId')
    await expect(startVoiceUpload(home.as.OWNER, { submissionId, ...voice })).rejects.toEqual(code('conflict'))
  })
})
