import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inTenant } from '#lib/core/db/db.ts'
import { newId } from '#lib/core/db/id.ts'
import { closeWorkers } from '#lib/core/worker/pool.ts'
import { createBank } from '#lib/quiz/bank/banks.ts'
import { loadQuestionDrafts } from '#lib/quiz/bank/transfer.ts'
import {
  cancelQuestionImport,
  getQuestionImport,
  listQuestionImports,
} from '#lib/quiz/transfer/import-job/question-import.ts'
import { runQuestionImport } from '#lib/quiz/transfer/import-job/run-import.ts'
import { questionImport } from '#lib/quiz/transfer/import-job/table.ts'
import { storeQuestionFile } from '#lib/quiz/transfer/transfer.ts'
import { file } from '#lib/storage/table.ts'
import { listFiles } from '../../../setup/parsed/storage.ts'
import { startQuestionImport } from '../../../setup/quiz/parsed.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let ours: TestTenant
let image: string
beforeAll(async () => {
  ours = await createTestTenant()
  const bytes = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
  image = bytes.toString('base64')
})
afterAll(() => closeWorkers())

const IMAGES = 3

/** Starts the import of a file with images into a new bank. */
async function started() {
  const author = ours.as.EXPERT
  const bankId = newId()
  await createBank(author, { bankId, title: `Банк ${bankId}` })
  const questions = Array.from({ length: IMAGES }, (_, index) => {
    const picture = `<img src\\="data\\:image/png;base64,${image.replaceAll('=', '\\=')}" alt\\="${bankId} ${index}">`
    return `[html]<p>Питання ${index}</p>${picture}{=а ~б}`
  })
  const text = [...questions, 'Зламане {=a ~', `Унікальне ${bankId}{T}`].join('\n\n')
  const { fileId } = await storeQuestionFile(author, { bytes: new TextEncoder().encode(text), fileName: 'т.txt' })
  const { importId } = await startQuestionImport(author, { fileId, bankId })
  return { author, bankId, fileId, importId, job: { tenantId: author.tenantId, importId } }
}

const RUN = { isLastAttempt: false, signal: new AbortController().signal }

async function countImages(): Promise<number> {
  const { rows } = await listFiles(ours.as.OWNER, { search: 'image' })
  return rows.length
}

const setColumns = (importId: string, columns: Partial<typeof questionImport.$inferInsert>) =>
  inTenant(ours.as.OWNER, (tx) => tx.update(questionImport).set(columns).where(eq(questionImport.id, importId)))

test('an import adds all questions of a file and keeps a verdict on each', async () => {
  const { author, bankId, importId, job } = await started()
  expect(await getQuestionImport(author, { importId })).toMatchObject({ state: 'queued', progress: 0, result: null })
  await runQuestionImport(job, RUN)
  const done = await getQuestionImport(author, { importId })
  expect(done).toMatchObject({ state: 'done', progress: 100, inserted: IMAGES + 1, failure: null })
  expect(done.result).toMatchObject({ format: 'gift', counts: { imported: IMAGES + 1, changed: 0, skipped: 1 } })
  expect(done.result?.questions[IMAGES]).toMatchObject({ line: 7, verdict: 'skipped', reasons: ['syntax'] })
  expect(await loadQuestionDrafts(author, { bankId })).toHaveLength(IMAGES + 1)
  await runQuestionImport(job, RUN)
  expect(await loadQuestionDrafts(author, { bankId })).toHaveLength(IMAGES + 1)
  expect(await listQuestionImports(author)).toMatchObject([{ id: importId, state: 'done' }])
})

test('a canceled import adds no question and leaves no image, before and while it runs', async () => {
  const before = await started()
  const images = await countImages()
  await cancelQuestionImport(before.author, before)
  await runQuestionImport(before.job, RUN)
  const during = await started()
  const running = runQuestionImport(during.job, RUN)
  for (;;) {
    const { progress } = await getQuestionImport(during.author, during)
    if (progress >= 20) break
  }
  await cancelQuestionImport(during.author, during)
  await running
  for (const { author, bankId, importId } of [before, during]) {
    expect(await getQuestionImport(author, { importId })).toMatchObject({
      state: 'canceled',
      inserted: 0,
      result: null,
    })
    expect(await loadQuestionDrafts(author, { bankId })).toEqual([])
  }
  expect(await countImages()).toBe(images)
  await cancelQuestionImport(during.author, during)
})

test('an import that was interrupted begins again and leaves nothing of the first run', async () => {
  const { author, bankId, importId, job } = await started()
  const images = await countImages()
  const shutdown = new AbortController()
  shutdown.abort()
  await expect(runQuestionImport(job, { ...RUN, signal: shutdown.signal })).rejects.toThrow()
  expect(await getQuestionImport(author, { importId })).toMatchObject({ state: 'running', inserted: 0 })
  expect(await countImages()).toBe(images)
  await runQuestionImport(job, RUN)
  expect(await getQuestionImport(author, { importId })).toMatchObject({ state: 'done', inserted: IMAGES + 1 })
  // A process that was killed could not remove what it had stored.
  const killed = await started()
  const leftover = newId()
  const { rows } = await listFiles(ours.as.OWNER, { search: 'image' })
  const [sample] = await inTenant(ours.as.OWNER, (tx) =>
    tx
      .select()
      .from(file)
      .where(eq(file.id, rows[0]?.id ?? '')),
  )
  if (!sample) throw new Error('no image was stored')
  await inTenant(ours.as.OWNER, (tx) => tx.insert(file).values({ ...sample, id: leftover }))
  await setColumns(killed.importId, { state: 'running', storedFileIds: [leftover] })
  await runQuestionImport(killed.job, RUN)
  expect(await getQuestionImport(author, killed)).toMatchObject({ state: 'done', inserted: IMAGES + 1 })
  const left = await inTenant(ours.as.OWNER, (tx) => tx.select({ id: file.id }).from(file).where(eq(file.id, leftover)))
  expect(left).toEqual([])
  expect(await loadQuestionDrafts(author, { bankId })).toHaveLength(IMAGES + 1)
})

test('a bank that was deleted meanwhile fails the import as a whole', async () => {
  const { author, importId, job } = await started()
  await setColumns(importId, { bankId: newId() })
  const images = await countImages()
  await runQuestionImport(job, RUN)
  expect(await getQuestionImport(author, { importId })).toMatchObject({
    state: 'failed',
    inserted: 0,
    failure: { code: 'not_found' },
  })
  expect(await countImages()).toBe(images)
})

test('another member and another school find no import', async () => {
  const { importId } = await started()
  const other = await createOtherTenant()
  for (const actor of [ours.as.DIRECTOR, other.as.OWNER]) {
    await expect(getQuestionImport(actor, { importId })).rejects.toMatchObject({ code: 'not_found' })
    await expect(cancelQuestionImport(actor, { importId })).rejects.toMatchObject({ code: 'not_found' })
  }
  await expect(getQuestionImport(ours.as.STUDENT, { importId })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(cancelQuestionImport(ours.as.CURATOR, { importId })).rejects.toMatchObject({ code: 'forbidden' })
})
