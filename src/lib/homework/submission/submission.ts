import { and, asc, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { nullIfRefused, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { SubmissionState } from '#lib/core/shared/learning.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { getLessonTerms } from '#lib/course/learning/lesson-terms.ts'
import { loadRenderContext } from '#lib/course/lesson/load-render-context.ts'
import { renderLesson } from '#lib/course/lesson/render.ts'
import { lesson } from '#lib/course/table.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import { openPlayback } from '#lib/storage/video/playback.ts'
import { membership, user } from '#lib/user/table.ts'
import { checkDeadline, nextAttempt } from '../rules.ts'
import type { Annotation } from '../schema.ts'
import { submission, task } from '../table.ts'
import { type AnswerFileView, loadAnswerFiles } from './answer-files.ts'
import { type AttemptRow, requireSubmittingStudent, type TaskRow } from './attempt.ts'
import { type HomeworkMessageView, loadMessages } from './messages.ts'

/** The verdict on an attempt with its feedback. */
export interface VerdictView {
  at: Date
  by: string | null
  score: number | null
  feedback: string | null
  rubric: { title: string; level: string; text: string; points: number }[]
  voice: PlaybackView | null
  annotations: Annotation[]
}

export interface AttemptView {
  attempt: number
  state: SubmissionState
  text: string
  files: AnswerFileView[]
  submittedAt: Date | null
  late: boolean
  answerBy: Date | null
  verdict: VerdictView | null
  /** The student has not seen the verdict yet. */
  fresh: boolean
}

export interface OwnTask {
  id: string
  title: string
  type: 'file' | 'video'
  instructions: string
  files: AnswerFileView[]
  acceptTypes: string[]
  maxFiles: number
  /** Bytes. */
  maxBytes: number
  dueAt: Date | null
  latePolicy: TaskRow['latePolicy']
  maxPoints: number | null
  passPoints: number | null
  maxAttempts: number | null
  rubric: TaskRow['rubric']
  required: boolean
  /** HTML; only after an accepted submission, where the author wants that. */
  sample: string | null
  /** Submitted attempts, the latest first; the attempt that is written now is `draft`. */
  attempts: AttemptView[]
  /** The attempt that can be written now; null when there is none. */
  draft: { attempt: number; version: number; text: string; files: AnswerFileView[] } | null
  /** Why nothing can be written: waiting or reviewed, no attempts left, past the due date. */
  shut: 'closed' | 'exhausted' | 'over' | null
  messages: HomeworkMessageView[]
}

/**
 * A lesson's homework as its student sees it. The caller has checked the student's access to the lesson. A lesson
 * without tasks costs one statement. Refuses with forbidden, not_found.
 */
export async function getHomework(
  actor: Actor,
  input: { lessonId: string },
  locale: Locale = actor.locale,
): Promise<OwnTask[]> {
  requireSubmittingStudent(actor)
  const { lessonId } = input
  return inTenant(actor, async (tx) => {
    const isGiven = and(eq(task.lessonId, lesson.id), isNull(task.deletedAt), sql`${task.title} <> ''`)
    const lessonTasks = await tx
      .select({ task })
      .from(lesson)
      .leftJoin(task, isGiven)
      .where(eq(lesson.id, lessonId))
      .orderBy(asc(task.position), asc(task.id))
    if (lessonTasks.length === 0) throw new Refusal('not_found')
    const tasks = lessonTasks.flatMap((row) => row.task ?? [])
    if (tasks.length === 0) return []
    const [{ ruleDateOf }, rows] = await Promise.all([
      getLessonTerms(tx, { studentId: actor.membershipId, lessonId }),
      loadOwnAttempts(tx, actor, tasks),
    ])
    const ids = [...tasks.flatMap(({ fileIds }) => fileIds), ...rows.flatMap(({ row }) => row.fileIds)]
    const files = await loadAnswerFiles(tx, actor, [...new Set(ids)])
    return Promise.all(
      tasks.map((taskRow) => {
        const own = rows.filter(({ row }) => row.taskId === taskRow.id)
        const dueAt = taskRow.dueRule && ruleDateOf(taskRow.dueRule)
        return toTaskView(tx, actor, { taskRow, own, files, dueAt, locale })
      }),
    )
  })
}

type OwnAttemptRow = Awaited<ReturnType<typeof loadOwnAttempts>>[number]

interface TaskViewParts {
  taskRow: TaskRow
  own: OwnAttemptRow[]
  files: Map<string, AnswerFileView>
  dueAt: Date | null
  locale: Locale
}

async function toTaskView(
  tx: Tx,
  actor: Actor,
  { taskRow, own, files, dueAt, locale }: TaskViewParts,
): Promise<OwnTask> {
  const renderDoc = async (doc: LessonDoc) => renderLesson(doc, await loadRenderContext(tx, actor, doc, locale))
  const filesByIds = (ids: string[]) => ids.flatMap((id) => files.get(id) ?? [])
  const [latest] = own
  const next = nextAttempt({ latest: latest?.row ?? null, maxAttempts: taskRow.maxAttempts })
  const isOverdue = checkDeadline({ dueAt, latePolicy: taskRow.latePolicy }, new Date()).refused
  const attempts: AttemptView[] = []
  for (const { row, by } of own.filter(({ row }) => row.state !== 'draft')) {
    attempts.push({
      attempt: row.attempt,
      state: row.state,
      text: row.text,
      files: filesByIds(row.fileIds),
      submittedAt: row.submittedAt,
      late: row.late,
      answerBy: row.answerBy,
      verdict: isReviewed(row) ? await toVerdictView(actor, taskRow, { row, by }, renderDoc) : null,
      fresh: isReviewed(row) && row.readByStudentAt === null,
    })
  }
  const accepted = attempts.some(({ state }) => state === 'accepted')
  const showsSample = accepted && taskRow.showSample === 'afterAccept' && taskRow.sampleAnswer !== null
  return {
    id: taskRow.id,
    title: taskRow.title,
    type: taskRow.type,
    acceptTypes: taskRow.acceptTypes,
    maxFiles: taskRow.maxFiles,
    maxBytes: taskRow.maxBytes,
    maxAttempts: taskRow.maxAttempts,
    latePolicy: taskRow.latePolicy,
    required: taskRow.required,
    rubric: taskRow.rubric,
    dueAt,
    maxPoints: taskRow.grading === 'points' ? taskRow.maxPoints : null,
    passPoints: taskRow.grading === 'points' ? taskRow.passPoints : null,
    instructions: await renderDoc(taskRow.instructions),
    files: filesByIds(taskRow.fileIds).filter(({ arrived }) => arrived),
    sample: showsSample && taskRow.sampleAnswer ? await renderDoc(taskRow.sampleAnswer) : null,
    attempts,
    draft: 'attempt' in next && !isOverdue ? toDraftView(next.attempt, latest?.row, filesByIds) : null,
    shut: 'reason' in next ? next.reason : isOverdue ? 'over' : null,
    messages: await loadMessages(tx, actor, taskRow.id, actor.membershipId),
  }
}

/** The next attempt starts with the content of the previous one. */
function toDraftView(attempt: number, row: AttemptRow | undefined, filesOf: (ids: string[]) => AnswerFileView[]) {
  const version = row?.attempt === attempt ? row.version : 0
  return { attempt, version, text: row?.text ?? '', files: filesOf(row?.fileIds ?? []) }
}

const isReviewed = ({ state, reviewedAt }: AttemptRow): boolean =>
  reviewedAt !== null && (state === 'accepted' || state === 'returned' || state === 'rejected')

async function toVerdictView(
  actor: Actor,
  taskRow: TaskRow,
  { row, by }: OwnAttemptRow,
  shown: (doc: LessonDoc) => Promise<string>,
): Promise<VerdictView> {
  return {
    at: row.reviewedAt ?? row.updatedAt,
    by,
    score: row.score,
    annotations: row.annotations,
    feedback: row.feedback ? await shown(row.feedback) : null,
    rubric: taskRow.rubric.flatMap(({ id, title, levels }) => {
      const level = levels[row.rubricMarks.find(({ criterionId }) => criterionId === id)?.level ?? -1]
      return level ? [{ title, level: level.title, text: level.text, points: level.points }] : []
    }),
    voice: row.voiceFileId ? await openPlayback(actor, row.voiceFileId).catch(nullIfRefused) : null,
  }
}

function loadOwnAttempts(tx: Tx, actor: Actor, tasks: readonly TaskRow[]) {
  return tx
    .select({
      row: submission,
      by: sql<string | null>`nullif(trim(${user.firstName} || ' ' || ${user.lastName}), '')`,
    })
    .from(submission)
    .leftJoin(membership, eq(membership.id, submission.reviewedBy))
    .leftJoin(user, eq(user.id, membership.userId))
    .where(
      and(
        eq(submission.studentId, actor.membershipId),
        inArray(
          submission.taskId,
          tasks.map(({ id }) => id),
        ),
      ),
    )
    .orderBy(desc(submission.attempt))
}
