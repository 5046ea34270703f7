import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Tx } from '#lib/core/db/db.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { QuestionType } from '#lib/core/shared/quiz.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { loadRenderContext } from '#lib/course/lesson/load-render-context.ts'
import { originalUrl } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import { describeAnswer, describeKey } from '../attempt/describe/describe-answer.ts'
import { answerFileIdsOf } from '../attempt/files/answer-files.ts'
import { keyQuestions, loadAttemptContents, pickFrozen } from '../attempt/frozen/contents.ts'
import type { QuizAttemptRow } from '../attempt/offer.ts'
import { renderText } from '../attempt/show-question.ts'
import { allTexts } from '../attempt/view.ts'
import { hasGaps } from '../question/rules.ts'
import type { QuestionContent } from '../question/schema.ts'
import { needsMark, releasedReview } from './rules.ts'
import type { AttemptReviewDraft } from './schema.ts'

/** An answer as shown to its reviewer. */
export interface ReviewAnswerView {
  questionId: string
  number: number
  type: QuestionType
  sectionTitle: string
  /** HTML. */
  stem: string
  /** The answer as HTML; empty without an answer. */
  answer: string
  /** HTML of the right answer, or of the sample answer; null where there is none. */
  key: string | null
  files: AnswerFile[]
  points: number
  /** By the key; null for types that are marked by a reviewer. */
  autoScore: number | null
  hasAnswer: boolean
  /** The answer has to be marked by a reviewer. */
  needsMark: boolean
  spentSeconds: number
  /** The key was corrected after the attempt, and the attempt was regraded. */
  isRegraded: boolean
}

/** A file of an answer, with addresses signed for the reviewer. */
interface AnswerFile {
  id: string
  name: string
  /** Bytes. */
  size: number
  open: string
  download: string
}

/** The questions of an attempt with answers, keys and files, and the marks that the student sees. */
export async function loadAttemptAnswers(
  tx: Tx,
  actor: Actor,
  attempt: QuizAttemptRow,
  { locale, t }: { locale: Locale; t: Translate },
): Promise<{ answers: ReviewAnswerView[]; released: AttemptReviewDraft }> {
  const { questions } = attempt
  const { answers: rows, versions } = await loadAttemptContents(tx, attempt.id)
  const contents = pickFrozen(versions, questions)
  const keys = pickFrozen(versions, keyQuestions(questions))
  const [render, files] = await Promise.all([
    loadRenderContext(tx, actor, allTexts([...contents.values(), ...keys.values()]), locale),
    loadAnswerFiles(
      tx,
      actor,
      attempt.studentId,
      rows.flatMap(({ value }) => answerFileIdsOf(value)),
    ),
  ])
  const answers = questions.flatMap(({ questionId, points, sectionTitle, version, keyVersion }, index) => {
    const content = contents.get(questionId)
    if (!content) return []
    const row = rows.find((candidate) => candidate.questionId === questionId)
    const value = row?.value ?? null
    const hasAnswer = value !== null
    const { type } = content
    return [
      {
        questionId,
        number: index + 1,
        type,
        sectionTitle,
        stem: numberGaps(content, renderText(content.stem, render)),
        answer: type === 'fileUpload' ? '' : describeAnswer(content, value, { render, t }),
        key: describeKey(keys.get(questionId) ?? content, { render, t }),
        files: answerFileIdsOf(value).flatMap((id) => files.get(id) ?? []),
        points,
        autoScore: row ? row.score : 0,
        hasAnswer,
        needsMark: needsMark({ type, hasAnswer }),
        spentSeconds: Math.round((row?.spentMs ?? 0) / 1000),
        isRegraded: keyVersion !== undefined && keyVersion !== version,
      },
    ]
  })
  const ids = questions.map(({ questionId }) => questionId)
  return { answers, released: releasedReview(rows, '', ids) }
}

/** Only files of the student: an answer cannot include the files of another user. */
async function loadAnswerFiles(
  tx: Tx,
  actor: Actor,
  studentId: string,
  ids: readonly string[],
): Promise<Map<string, AnswerFile>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .select({ id: file.id, name: file.name, mime: file.mime, size: file.size })
    .from(file)
    .where(and(inArray(file.id, [...ids]), eq(file.ownerId, studentId), isNull(file.deletedAt)))
  return new Map(
    rows.map((row) => {
      const { id, name, size } = row
      return [
        id,
        { id, name, size, open: originalUrl(actor, row), download: originalUrl(actor, row, { download: true }) },
      ]
    }),
  )
}

/** Replaces the gaps of a stem by their numbers, as used in the answer. */
function numberGaps(content: QuestionContent, html: string): string {
  if (!hasGaps(content)) return html
  const gaps: readonly { id: string }[] = content.gaps
  return gaps.reduce((text, { id }, index) => text.replaceAll(`[[${id}]]`, `____ (${index + 1})`), html)
}
