import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import { closeWorkers } from '#lib/core/worker/pool.ts'
import { createBank } from '#lib/quiz/bank/banks.ts'
import { loadQuestionDrafts } from '#lib/quiz/bank/transfer.ts'
import { exportQuestions } from '#lib/quiz/transfer/export.ts'
import { readQuestionFile } from '#lib/quiz/transfer/read-file.ts'
import type { ExportFormat } from '#lib/quiz/transfer/schema.ts'
import { previewQuestions, storeQuestionFile } from '#lib/quiz/transfer/transfer.ts'
import { importQuestions } from '../../../setup/quiz/imports.ts'
import { listBankQuestions, startQuestionImport } from '../../../setup/quiz/parsed.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'

let ours: TestTenant
let other: TestTenant
let scratch: string
beforeAll(async () => {
  ours = await createTestTenant()
  other = await createOtherTenant()
  scratch = await mkdtemp(path.join(tmpdir(), 'kafedra-import-'))
})
afterAll(async () => {
  closeWorkers()
  await rm(scratch, { recursive: true, force: true })
})

const upload = (text: string, fileName = 'questions.txt') =>
  storeQuestionFile(ours.as.EXPERT, { bytes: new TextEncoder().encode(text), fileName })

describe('an import', () => {
  test('shows the outcome of each question before any is added', async () => {
    const { fileId } = await upload('Preview{T}\n\nBroken {=a ~\n')
    const preview = await previewQuestions(ours.as.EXPERT, { fileId })
    expect(preview).toMatchObject({ format: 'gift', counts: { imported: 1, changed: 0, skipped: 1 } })
    expect(preview.questions[1]).toMatchObject({ line: 3, verdict: 'skipped', reasons: ['syntax'] })
    expect((await listBankQuestions(ours.as.EXPERT, { q: 'Preview' })).items).toEqual([])
  })

  test('confirmed twice adds its questions once', async () => {
    const bankId = newId()
    await createBank(ours.as.EXPERT, { bankId, title: 'Двічі' })
    const { fileId } = await upload('Twice one{T}\n\nTwice two{=a ~b}\n')
    const first = await startQuestionImport(ours.as.EXPERT, { fileId, bankId })
    expect(await startQuestionImport(ours.as.EXPERT, { fileId, bankId })).toEqual(first)
    expect(await importQuestions(ours.as.EXPERT, { fileId, bankId })).toMatchObject({ state: 'done', inserted: 2 })
    expect(await importQuestions(ours.as.EXPERT, { fileId, bankId })).toMatchObject({ state: 'done', inserted: 0 })
    expect(await loadQuestionDrafts(ours.as.EXPERT, { bankId })).toHaveLength(2)
  })

  test('of another school finds neither the file nor the bank', async () => {
    const { fileId } = await upload('Ours{F}\n')
    for (const run of [previewQuestions, startQuestionImport])
      await expect(run(other.as.OWNER, { fileId })).rejects.toMatchObject({ code: 'not_found' })
    const bankId = newId()
    await createBank(other.as.OWNER, { bankId, title: 'Чужий' })
    await expect(startQuestionImport(ours.as.OWNER, { fileId, bankId })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is refused for those who may not edit questions', async () => {
    const bytes = new TextEncoder().encode('A{T}')
    await expect(storeQuestionFile(ours.as.CURATOR, { bytes, fileName: 'a.txt' })).rejects.toMatchObject({
      code: 'forbidden',
    })
    await expect(startQuestionImport(ours.as.CURATOR, { fileId: newId() })).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('of a file without questions is refused and stores nothing', async () => {
    await expect(upload('No questions here.')).rejects.toMatchObject({
      details: { fields: { file: ['questions_unknown'] } },
    })
  })
})

describe('an export', () => {
  test.each<ExportFormat>(['moodle', 'qti22', 'qti30', 'gift'])(
    'in %s contains the image of a question',
    async (format) => {
      const image = await sharp({ create: { width: 20, height: 10, channels: 3, background: '#336699' } })
        .png()
        .toBuffer()
      const bankId = newId()
      await createBank(ours.as.EXPERT, { bankId, title: `Зображення ${format}` })
      const html = `<p>Що тут?</p><img src\\="data\\:image/png;base64,${image.toString('base64').replaceAll('=', '\\=')}" alt\\="Синє">`
      const { fileId } = await upload(`[html]${html}{=а ~б}\n`)
      const { result } = await importQuestions(ours.as.EXPERT, { fileId, bankId })
      expect(result?.counts.imported).toBe(1)
      const { body, questions } = await exportQuestions(ours.as.EXPERT, { format, bankId })
      expect(questions).toMatchObject([{ verdict: 'imported', reasons: [] }])
      const file = path.join(scratch, newId())
      await writeFile(file, Buffer.from(await new Response(body).arrayBuffer()))
      const read = await readQuestionFile({ path: file, scratch })
      expect(read).toMatchObject({ questions: [{ verdict: 'imported' }], files: [{ picture: true }] })
      const [before] = await loadQuestionDrafts(ours.as.EXPERT, { bankId })
      const withoutIds = (value: unknown): unknown =>
        JSON.parse(JSON.stringify(value).replace(/\/v1\/file\/[0-9a-f-]{36}/g, 'image'))
      expect(withoutIds(read.questions[0]?.draft?.content.stem)).toEqual(withoutIds(before?.draft.content.stem))
    },
  )

  test.each<ExportFormat>(['csv', 'xlsx'])('in %s can be imported', async (format) => {
    const bankId = newId()
    await createBank(ours.as.EXPERT, { bankId, title: `Таблиця ${format}` })
    const { fileId } = await upload(`=1+1 ${format}{\\=SUM(A1)}\n`.replace('=1', '\\=1'))
    await importQuestions(ours.as.EXPERT, { fileId, bankId })
    const { body } = await exportQuestions(ours.as.EXPERT, { format, bankId })
    const bytes = Buffer.from(await new Response(body).arrayBuffer())
    if (format === 'csv') expect(bytes.toString()).toContain("'=1+1")
    const file = path.join(scratch, newId())
    await writeFile(file, bytes)
    const { questions } = await readQuestionFile({ path: file, scratch })
    expect(questions[0]?.draft?.content).toMatchObject({ type: 'shortText', accepted: [{ text: '=SUM(A1)' }] })
  })
})
