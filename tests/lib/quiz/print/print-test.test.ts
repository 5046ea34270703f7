import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#lib/core/db/id.ts'
import type { LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { srcOf } from '#lib/core/shared/lesson-doc.ts'
import { QUESTION_TYPES } from '#lib/core/shared/quiz.ts'
import { closeWorkers } from '#lib/core/worker/pool.ts'
import { printTest } from '#lib/quiz/print/print-test.ts'
import { QuestionContent } from '#lib/quiz/question/schema.ts'
import { createQuiz } from '#lib/quiz/quiz.ts'
import { createQuestion, setSections, updateQuiz } from '../../../setup/quiz/parsed.ts'
import { sampleQuestion } from '../../../setup/quiz/questions.ts'
import { createOtherTenant, createTestTenant, type TestTenant } from '../../../setup/tenants.ts'
import { uploadFile } from '../../../setup/uploads.ts'

const run = promisify(execFile)
/** Cannot be typeset. */
const NOT_TEX = String.raw`\невідомо{x}`

let ours: TestTenant
let quizId: string
let scratch: string
beforeAll(async () => {
  ours = await createTestTenant()
  scratch = await mkdtemp(path.join(tmpdir(), 'kafedra-print-'))
  quizId = await testOfAllTypes()
})
afterAll(async () => {
  closeWorkers()
  await rm(scratch, { recursive: true, force: true })
})

/** A test with shuffling: one question of each type, all with an explanation, an image and a formula, and then long ones. */
async function testOfAllTypes(): Promise<string> {
  const author = ours.as.EXPERT
  const picture = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#336699' } })
    .png()
    .toBuffer()
  const { id: fileId } = await uploadFile(author, 'Мапа.png', new Uint8Array(picture))
  const more: LessonNode[] = [
    { type: 'image', attrs: { src: srcOf(fileId), alt: 'Мапа' } },
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'Формула: ' },
        { type: 'inlineMath', attrs: { latex: 'x^2' } },
        { type: 'text', text: ' і ' },
        { type: 'inlineMath', attrs: { latex: NOT_TEX } },
      ],
    },
  ]
  const questionIds: string[] = []
  for (const type of QUESTION_TYPES) {
    const sample = sampleQuestion(type)
    const stem = { ...sample.stem, content: [...sample.stem.content, ...more] }
    const explanation = {
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ type: 'text', text: `Бо ${type}` }] }],
    }
    const own = type === 'hotspot' ? { imageFileId: fileId } : {}
    const content = QuestionContent.parse({ ...sample, stem, explanation, ...own })
    const questionId = newId()
    await createQuestion(author, { questionId, draft: { content } })
    questionIds.push(questionId)
  }
  const id = newId()
  await createQuiz(author, { quizId: id, courseId: null, title: 'Ґанок і їжак: підсумковий тест' })
  const settings = { timeLimitSec: 1800, shuffleQuestions: true, shuffleOptions: true }
  const { revision } = await updateQuiz(author, { quizId: id, revision: 1, settings })
  const section = { id: newId(), pick: 'fixed' as const, title: 'Перша частина' }
  await setSections(author, {
    quizId: id,
    revision,
    sections: [{ ...section, questions: questionIds.map((questionId) => ({ questionId })) }],
  })
  return id
}

async function textOf(input: { answers: boolean; variant: number }): Promise<string> {
  const { bytes } = await printTest(ours.as.CURATOR, { quizId, ...input })
  const file = path.join(scratch, `${newId()}.pdf`)
  await writeFile(file, bytes)
  const { stdout } = await run('pdftotext', ['-layout', file, '-'])
  return stdout
}

const words = (text: string): string => text.replace(/\s+/g, ' ')

describe('a printed test', () => {
  test('has all types in Ukrainian that can be extracted, fields to fill in, and no key', async () => {
    const text = words(await textOf({ answers: false, variant: 1 }))
    expect(text).toContain('Ґанок і їжак: підсумковий тест')
    expect(text).toContain('Варіант 1')
    expect(text).toContain('30 хвилин')
    expect(text).toMatch(/Ім’я та прізвище .*Дата/)
    expect(text).toContain('Перша частина')
    for (const type of QUESTION_TYPES) {
      const [first] = sampleQuestion(type).stem.content
      const [start = ''] = (first?.content?.[0]?.text ?? '').split('[[')
      expect(text).toContain(start.trim())
    }
    for (const number of QUESTION_TYPES.keys()) expect(text).toContain(`${number + 1}.`)
    expect(text).toMatch(/[А-В]\) Київ/)
    // Formulas are drawn as outlines; TeX that cannot be typeset is printed as it is.
    expect(text).not.toContain('x^2')
    expect(text).toContain(`Формула: і ${NOT_TEX}`)
    expect(text).not.toContain('Правильна відповідь')
    expect(text).not.toContain('Бо single')
    expect(text).not.toContain('стогне')
    expect(text).not.toContain('3.14')
  })

  test('with answers has the key and the explanation of each question', async () => {
    const text = words(await textOf({ answers: true, variant: 1 }))
    for (const type of QUESTION_TYPES) expect(text).toContain(`Бо ${type}`)
    for (const key of ['Тарас Шевченко', '3,14 ± 0,01', 'стогне', 'широкий', 'Серце', 'Так, з 1991 року.'])
      expect(text).toContain(key)
    expect(text).toContain('з відповідями')
  })

  test('is the same for a variant each time, and differs between variants; the key follows its variant', async () => {
    const [first, again, second] = await Promise.all([1, 1, 2].map((variant) => textOf({ answers: false, variant })))
    expect(again).toBe(first)
    expect(second?.replace('Варіант 2', 'Варіант 1')).not.toBe(first)
    const orderOf = (text: string | undefined) =>
      QUESTION_TYPES.toSorted((a, b) => positionOf(text, a) - positionOf(text, b))
    expect(orderOf(await textOf({ answers: true, variant: 2 }))).toEqual(orderOf(second))
  })

  test('does not divide a question between two pages', async () => {
    const pages = (await textOf({ answers: false, variant: 1 })).split('\f')
    expect(pages.length).toBeGreaterThan(4)
    // Each question ends with the formula or its fields: its number and its formula are on the same page.
    for (const page of pages) {
      const starts = [...page.matchAll(/^ *\d{1,2}\. {1,3}\S/gm)].length
      expect(page.match(/Формула:/g)?.length ?? 0).toBeLessThanOrEqual(starts)
    }
  })

  test('is for members who read tests of their own school', async () => {
    const input = { quizId, answers: true, variant: 1 }
    await expect(printTest(ours.as.STUDENT, input)).rejects.toMatchObject({ code: 'forbidden' })
    const other = await createOtherTenant()
    await expect(printTest(other.as.OWNER, input)).rejects.toMatchObject({ code: 'not_found' })
  })
})

/** The position of a question in the text of a test. */
function positionOf(text: string | undefined, type: (typeof QUESTION_TYPES)[number]): number {
  const [first] = sampleQuestion(type).stem.content
  const [start = ''] = (first?.content?.[0]?.text ?? '').split('[[')
  return words(text ?? '').indexOf(start.trim())
}
