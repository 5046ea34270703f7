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
import { type AnswerFileView, loadSubmissionFiles } from './answer-files.ts'
import { requireSubmittingStudent, type SubmissionRow, type TaskRow } from './attempt.ts'
import { type HomeworkMessageView, loadSubmissionMessages } from './messages.ts'

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
  /** HTML; shown only after an accepted submission, if the author has enabled it. */
  sample: string | null
  /** Submitted attempts, the latest first; the unfinished attempt is `draft`. */
  attempts: AttemptView[]
  /** The attempt that can be written now; null when there is none. */
  draft: { attempt: number; version: number; text: string; files: AnswerFileView[] } | null
  /** Why no attempt can be written: waiting or reviewed, no attempts left, past the due date. */
  closedReason: 'closed' | 'exhausted' | 'over' | null
  messages: HomeworkMessageView[]
  /** Curators review the answer and read messages; otherwise an answer is accepted at once. */
  hasCuratorSupport: boolean
}

/**
 * The homework of a lesson for its student. The caller has checked the student's access to the lesson. A lesson without
 * tasks needs two statements, sent together. Refuses with forbidden, not_found.
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
    const [lessonTasks, rows] = await Promise.all([
      tx
        .select({ task })
        .from(lesson)
        .leftJoin(task, isGiven)
        .where(eq(lesson.id, lessonId))
        .orderBy(asc(task.position), asc(task.id)),
      loadOwnAttempts(tx, actor, lessonId),
    ])
    if (lessonTasks.length === 0) throw new Refusal('not_found')
    const tasks = lessonTasks.flatMap(({ task: taskRow }) => {
      if (!taskRow) return []
      return [{ taskRow, own: rows.filter(({ row }) => row.taskId === taskRow.id) }]
    })
    if (tasks.length === 0) return []
    const fileIds = tasks.flatMap(({ taskRow, own }) => [...taskRow.fileIds, ...own.flatMap(({ row }) => row.fileIds)])
    const [{ ruleDateOf, hasCuratorSupport }, files, ...contents] = await Promise.all([
      getLessonTerms(tx, { studentId: actor.membershipId, lessonId }),
      loadSubmissionFiles(tx, actor, [...new Set(fileIds)]),
      ...tasks.map((entry) => loadTaskContent(tx, actor, entry, locale)),
    ])
    return tasks.flatMap(({ taskRow, own }, index) => {
      const content = contents[index]
      const dueAt = taskRow.dueRule && ruleDateOf(taskRow.dueRule)
      return content ? [toTaskView({ taskRow, own, content, files, dueAt, hasCuratorSupport })] : []
    })
  })
}

type OwnAttemptRow = Awaited<ReturnType<typeof loadOwnAttempts>>[number]

interface TaskWithAttempts {
  taskRow: TaskRow
  own: OwnAttemptRow[]
}

/** Rendered texts, verdicts and messages of a task; the statements are independent. */
async function loadTaskContent(tx: Tx, actor: Actor, { taskRow, own }: TaskWithAttempts, locale: Locale) {
  const renderDoc = async (doc: LessonDoc) => renderLesson(doc, await loadRenderContext(tx, actor, doc, locale))
  const accepted = own.some(({ row }) => row.state === 'accepted')
  const showsSample = accepted && taskRow.showSample === 'afterAccept'
  const [instructions, sample, messages, verdicts] = await Promise.all([
    renderDoc(taskRow.instructions),
    showsSample && taskRow.sampleAnswer ? renderDoc(taskRow.sampleAnswer) : null,
    loadSubmissionMessages(tx, actor, taskRow.id, actor.membershipId),
    Promise.all(
      own.map((attempt) => (isReviewed(attempt.row) ? toVerdictView(actor, taskRow, attempt, renderDoc) : null)),
    ),
  ])
  return { instructions, sample, messages, verdicts }
}

interface TaskViewParts extends TaskWithAttempts {
  content: Awaited<ReturnType<typeof loadTaskContent>>
  files: Map<string, AnswerFileView>
  dueAt: Date | null
  hasCuratorSupport: boolean
}

function toTaskView({ taskRow, own, content, files, dueAt, hasCuratorSupport }: TaskViewParts): OwnTask {
  const filesByIds = (ids: string[]) => ids.flatMap((id) => files.get(id) ?? [])
  const [latest] = own
  const next = nextAttempt({ latest: latest?.row ?? null, maxAttempts: taskRow.maxAttempts })
  const isOverdue = checkDeadline({ dueAt, latePolicy: taskRow.latePolicy }, new Date()).refused
  const attempts = own.flatMap(({ row }, index): AttemptView[] => {
    if (row.state === 'draft') return []
    return [
      {
        attempt: row.attempt,
        state: row.state,
        text: row.text,
        files: filesByIds(row.fileIds),
        submittedAt: row.submittedAt,
        late: row.late,
        answerBy: row.answerBy,
        verdict: content.verdicts[index] ?? null,
        fresh: isReviewed(row) && row.readByStudentAt === null,
      },
    ]
  })
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
    instructions: content.instructions,
    files: filesByIds(taskRow.fileIds).filter(({ arrived }) => arrived),
    sample: content.sample,
    attempts,
    draft: 'attempt' in next && !isOverdue ? toDraftView(next.attempt, latest?.row, filesByIds) : null,
    closedReason: 'reason' in next ? next.reason : isOverdue ? 'over' : null,
    messages: content.messages,
    hasCuratorSupport,
  }
}

/** The next attempt starts with the content of the previous one. */
function toDraftView(attempt: number, row: SubmissionRow | undefined, filesOf: (ids: string[]) => AnswerFileView[]) {
  const version = row?.attempt === attempt ? row.version : 0
  return { attempt, version, text: row?.text ?? '', files: filesOf(row?.fileIds ?? []) }
}

const isReviewed = ({ state, reviewedAt }: SubmissionRow): boolean =>
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

function loadOwnAttempts(tx: Tx, actor: Actor, lessonId: string) {
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
        inArray(submission.taskId, tx.select({ id: task.id }).from(task).where(eq(task.lessonId, lessonId))),
      ),
    )
    .orderBy(desc(submission.attempt))
}
