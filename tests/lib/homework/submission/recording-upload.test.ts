import { beforeAll, describe, expect, test, vi } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { UPLOAD_PART_BYTES } from '#lib/core/shared/upload-part.ts'
import { DEFAULT_VIDEO_BYTES } from '#lib/homework/rules.ts'
import { startAnswerUpload } from '#lib/homework/submission/files.ts'
import { extendAnswerUpload } from '#lib/homework/submission/recording-upload.ts'
import { saveAnswerDraft, submitAnswer } from '#lib/homework/submission/submit.ts'
import { deleteTask } from '#lib/homework/task/task.ts'
import { abortUpload } from '#lib/storage/upload/abort.ts'
import { extendUpload } from '#lib/storage/upload/extend.ts'
import { finishUpload } from '#lib/storage/upload/finish.ts'
import { getQuota } from '#lib/storage/upload/quota.ts'
import { signPart } from '#lib/storage/upload/upload.ts'
import { learner, type TaskPlace, withTask } from '../../../setup/course/works.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'
import { describeUpload, sendPart } from '../../../setup/uploads.ts'

const reason = (key: string, field = 'form') =>
  expect.objectContaining({ details: expect.objectContaining({ fields: { [field]: [key] } }) })
const code = (name: string) => expect.objectContaining({ code: name })

/** The beginning of a WebM file, as a browser's recorder writes it. */
const WEBM = Buffer.from(
  '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806701ffffff',
  'hex',
)

let home: TestTenant
let place: TaskPlace
let n = 0
beforeAll(async () => {
  home = await createTestTenant()
  place = await withTask(home.as.OWNER, { type: 'video', maxBytes: DEFAULT_VIDEO_BYTES }, 'Відеовідповідь')
})

const newcomer = (at: TaskPlace = place) => learner(home, at.courseId, `camera-${++n}@recording.test`)

function recorded(size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size).fill(7)
  bytes.set(WEBM)
  return bytes
}

/** Begins the upload of a recording when its first part is full. */
async function startUpload(actor: Actor, at: TaskPlace = place, size = UPLOAD_PART_BYTES) {
  const { parentId: _, ...described } = await describeUpload('Запис.webm', recorded(size))
  const { uploadId } = await startAnswerUpload(actor, { taskId: at.taskId, attempt: 1, ...described })
  const grow = (to: number, by = actor) => extendAnswerUpload(by, { taskId: at.taskId, attempt: 1, uploadId, size: to })
  return { uploadId, grow }
}

describe('a recording that is uploaded while it is recorded', () => {
  test('grows part by part, is counted as it grows, and becomes one video', async () => {
    const student = await newcomer()
    const before = (await getQuota(home.as.OWNER)).reserved
    const whole = recorded(2 * UPLOAD_PART_BYTES + 1000)
    const { uploadId, grow } = await startUpload(student)
    await sendPart(student, uploadId, 1, whole.subarray(0, UPLOAD_PART_BYTES))
    await expect(signPart(student, { uploadId, number: 2 })).rejects.toEqual(code('invalid'))
    await grow(2 * UPLOAD_PART_BYTES)
    await grow(2 * UPLOAD_PART_BYTES)
    await signPart(student, { uploadId, number: 2 })
    await sendPart(student, uploadId, 2, whole.subarray(UPLOAD_PART_BYTES, 2 * UPLOAD_PART_BYTES))
    expect((await getQuota(home.as.OWNER)).reserved).toBe(before + 2 * UPLOAD_PART_BYTES)
    await grow(whole.length)
    await expect(submitAnswer(student, { taskId: place.taskId, attempt: 1, text: '' })).rejects.toEqual(
      reason('homework_uploading'),
    )
    await sendPart(student, uploadId, 3, whole.subarray(2 * UPLOAD_PART_BYTES))
    expect(await finishUpload(student, { uploadId })).toMatchObject({ kind: 'video', size: whole.length })
    expect((await getQuota(home.as.OWNER)).reserved).toBe(before)
    expect(await submitAnswer(student, { taskId: place.taskId, attempt: 1, text: '' })).toMatchObject({
      state: 'submitted',
    })
  })

  test('never shrinks, and has no part after its last one', async () => {
    const { grow } = await startUpload(await newcomer())
    await expect(grow(UPLOAD_PART_BYTES - 1)).rejects.toEqual(code('invalid'))
    await grow(UPLOAD_PART_BYTES + 1)
    await expect(grow(2 * UPLOAD_PART_BYTES)).rejects.toEqual(code('invalid'))
  })

  test('ends at the limit of its task', async () => {
    const small = await withTask(home.as.OWNER, { type: 'video', maxBytes: UPLOAD_PART_BYTES + 5 }, 'Коротке відео')
    const { grow } = await startUpload(await newcomer(small), small)
    await expect(grow(UPLOAD_PART_BYTES + 6)).rejects.toEqual(reason('file_too_large', 'file'))
    await grow(UPLOAD_PART_BYTES + 5)
  })

  test('accepts parts from its own student only, and only in a draft that has it', async () => {
    const [student, other] = [await newcomer(), await newcomer()]
    await saveAnswerDraft(other, { taskId: place.taskId, attempt: 1, version: 0, text: 'Моє' })
    const { uploadId, grow } = await startUpload(student)
    const size = 2 * UPLOAD_PART_BYTES
    await expect(grow(size, other)).rejects.toEqual(code('not_found'))
    await expect(
      inTenant(other, (tx) => extendUpload(tx, other, { uploadId, size, maxBytes: DEFAULT_VIDEO_BYTES })),
    ).rejects.toEqual(code('not_found'))
    await expect(grow(size, home.as.CURATOR)).rejects.toEqual(code('forbidden'))
    const stranger = await createOtherTenant()
    const foreign = await withTask(stranger.as.OWNER, { type: 'video' })
    const neighbours = await learner(stranger, foreign.courseId, 'camera@neighbour.test')
    await expect(grow(size, neighbours)).rejects.toEqual(code('not_found'))
    await expect(
      extendAnswerUpload(neighbours, { taskId: foreign.taskId, attempt: 1, uploadId, size }),
    ).rejects.toEqual(code('not_found'))
    await expect(extendAnswerUpload(student, { taskId: place.taskId, attempt: 2, uploadId, size })).rejects.toEqual(
      reason('homework_closed'),
    )
    await abortUpload(student, { uploadId })
    await expect(grow(size)).rejects.toEqual(code('gone'))
  })

  test('stops with its task: deleted, or past a final deadline', async () => {
    const deleted = await withTask(home.as.OWNER, { type: 'video' }, 'Видалене відео')
    const running = await startUpload(await newcomer(deleted), deleted)
    await deleteTask(home.as.OWNER, { taskId: deleted.taskId })
    await expect(running.grow(2 * UPLOAD_PART_BYTES)).rejects.toEqual(code('not_found'))

    const term = { mode: 'date' as const, at: new Date(Date.now() - 60_000).toISOString() }
    const over = await withTask(home.as.OWNER, { type: 'video', dueRule: term, latePolicy: 'refuse' }, 'Пізнє відео')
    await expect(startUpload(await newcomer(over), over)).rejects.toEqual(reason('homework_late'))
    const late = await withTask(home.as.OWNER, { type: 'video', dueRule: term, latePolicy: 'accept' }, 'Пізнє, але')
    await (await startUpload(await newcomer(late), late)).grow(2 * UPLOAD_PART_BYTES)
  })

  test('is refused by its content, whatever its name', async () => {
    const { parentId: _, ...described } = await describeUpload('Запис.webm', new Uint8Array(Buffer.from('<html>')))
    const upload = { taskId: place.taskId, attempt: 1, ...described }
    await expect(startAnswerUpload(await newcomer(), upload)).rejects.toEqual(reason('file_differs', 'file'))
  })

  test('is accepted although other file types were selected before the task became a video', async () => {
    const was = await withTask(home.as.OWNER, { type: 'video', acceptTypes: ['doc'] }, 'Був документ')
    await expect(startUpload(await newcomer(was), was)).resolves.toMatchObject({ uploadId: expect.any(String) })
  })

  test('is aborted when it grows after its parts were joined, and releases its space', async () => {
    const student = await newcomer()
    const before = await getQuota(home.as.OWNER)
    const { uploadId } = await startUpload(student)
    await sendPart(student, uploadId, 1, recorded(UPLOAD_PART_BYTES))
    const [grown, joined] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const growing = inTenant(student, async (tx) => {
      await extendUpload(tx, student, { uploadId, size: 2 * UPLOAD_PART_BYTES, maxBytes: DEFAULT_VIDEO_BYTES })
      grown.resolve()
      await joined.promise
    })
    await grown.promise
    const finishing = finishUpload(student, { uploadId }).catch((error: unknown) => error)
    await vi.waitFor(async () => expect(await store.stat(`${student.tenantId}/${uploadId}`)).not.toBeNull())
    joined.resolve()
    await growing
    expect(await finishing).toEqual(code('gone'))
    const after = await getQuota(home.as.OWNER)
    expect([after.used, after.reserved]).toEqual([before.used, before.reserved])
  })
})

test('a voice answer is an audio file, and is accepted by tasks that accept audio', async () => {
  const at = await withTask(home.as.OWNER, { acceptTypes: ['audio'] }, 'Голос')
  const { parentId: _, ...described } = await describeUpload('Голос.opus', recorded(900))
  const student = await newcomer(at)
  const { uploadId } = await startAnswerUpload(student, { taskId: at.taskId, attempt: 1, ...described })
  await sendPart(student, uploadId, 1, recorded(900))
  expect(await finishUpload(student, { uploadId })).toMatchObject({ kind: 'audio' })
  const words = await withTask(home.as.OWNER, { acceptTypes: ['doc'] }, 'Лише документи')
  await expect(
    startAnswerUpload(await newcomer(words), { taskId: words.taskId, attempt: 1, ...described }),
  ).rejects.toEqual(reason('homework_type', 'file'))
})
