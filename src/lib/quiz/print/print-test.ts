import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { store } from '#lib/core/files/files.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { workerTask } from '#lib/core/worker/pool.ts'
import { file } from '#lib/storage/table.ts'
import { freezeQuestions } from '../attempt/frozen/freeze.ts'
import { publicSource } from '../attempt/shuffle.ts'
import { selectQuestions } from '../bank/bank.ts'
import { requireQuizReader } from '../permission.ts'
import type { QuestionContent } from '../question/schema.ts'
import { question } from '../question/table.ts'
import { quiz } from '../table.ts'
import type { renderTestPdf } from './pdf-worker.ts'
import { type PrintContext, printQuestion } from './print-question.ts'
import type { PrintedBlock, PrintedTest } from './printed.ts'
import type { PrintTest } from './schema.ts'
import { blocksOf } from './text-blocks.ts'

const MAX_IMAGES = 200
const MAX_IMAGE_BYTES = 60 * 1024 ** 2

const render = workerTask<typeof renderTestPdf>({
  file: 'src/lib/quiz/print/pdf-worker.ts',
  name: 'renderTestPdf',
  lane: 'request',
  limitMs: 30_000,
})

/**
 * A test as PDF for paper, with or without the right answers. Questions that cannot be given to students are omitted. The
 * same variant has the same questions in the same order until the test is changed; variant 1 of a test without shuffling is
 * in the order of the editor. Refuses with forbidden, not_found, unprocessable (export_too_large).
 */
export async function printTest(
  actor: Actor,
  { quizId, answers, variant }: PrintTest,
): Promise<{ bytes: Uint8Array; title: string }> {
  requireQuizReader(actor)
  const printed = await inTenant(actor, (tx) => describeTest(tx, actor, { quizId, answers, variant }))
  return { bytes: await render(printed), title: printed.title }
}

async function describeTest(tx: Tx, actor: Actor, { quizId, answers, variant }: PrintTest): Promise<PrintedTest> {
  const t = getTranslator(actor.locale)
  const [row] = await tx
    .select()
    .from(quiz)
    .where(and(eq(quiz.id, quizId), isNull(quiz.deletedAt)))
  if (!row) throw new Refusal('not_found')
  const frozen = await freezeQuestions(tx, row, publicSource(seedOf(quizId, variant)))
  const contents = await loadPrintedContents(
    tx,
    frozen.map(({ questionId }) => questionId),
  )
  const context: PrintContext = { t, locale: actor.locale, letters: t('quizprint:letters'), answers }
  let lastSection = ''
  const questions = frozen.flatMap((entry, index) => {
    const content = contents.get(entry.questionId)
    if (!content) return []
    const sectionTitle = entry.sectionId === lastSection ? '' : entry.sectionTitle
    lastSection = entry.sectionId
    return [{ sectionTitle, blocks: printQuestion(entry, content, index + 1, context) }]
  })
  const intro = row.intro ? blocksOf(row.intro) : []
  const points = frozen.reduce((sum, entry) => sum + entry.points, 0)
  return {
    title: row.title,
    facts: [
      t('quizprint:variant', { number: variant }),
      t('quizprint:points', { count: Math.round(points * 100) / 100 }),
      ...(row.timeLimitSec ? [t('quizprint:minutes', { count: Math.ceil(row.timeLimitSec / 60) })] : []),
      ...(answers ? [t('quizprint:withAnswers')] : []),
    ],
    intro,
    questions,
    nameLabel: t('quizprint:name'),
    dateLabel: t('quizprint:date'),
    pageLabel: t('quizprint:page', { page: '{{page}}', pages: '{{pages}}' }),
    lang: actor.locale,
    images: await loadImages(tx, actor, [...intro, ...questions.flatMap(({ blocks }) => blocks)]),
  }
}

async function loadPrintedContents(tx: Tx, ids: string[]): Promise<Map<string, QuestionContent>> {
  if (ids.length === 0) return new Map()
  const rows = await selectQuestions(tx).where(inArray(question.id, ids))
  return new Map(rows.map(({ id, content }) => [id, content]))
}

/** The bytes of the images, which are in the object store. */
async function loadImages(
  tx: Tx,
  { tenantId }: Actor,
  blocks: readonly PrintedBlock[],
): Promise<PrintedTest['images']> {
  const ids = new Set(blocks.flatMap((block) => (block.kind === 'image' ? [block.fileId] : [])))
  if (ids.size === 0) return {}
  if (ids.size > MAX_IMAGES) throw tooLarge()
  const rows = await tx
    .select({ id: file.id, size: file.size })
    .from(file)
    .where(and(inArray(file.id, [...ids]), eq(file.kind, 'image'), isNull(file.deletedAt)))
  if (rows.reduce((sum, { size }) => sum + size, 0) > MAX_IMAGE_BYTES) throw tooLarge()
  const images: PrintedTest['images'] = {}
  for (const { id } of rows) {
    const stream = await store.read(`${tenantId}/${id}`)
    if (stream) images[id] = await buffer(stream)
  }
  return images
}

const tooLarge = () => new Refusal('unprocessable', { fields: { file: ['export_too_large'] } })

function seedOf(quizId: string, variant: number): number {
  return createHash('sha256').update(`${quizId} ${variant}`).digest().readInt32BE(0)
}
