import { and, asc, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { nullIfRefused, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { HomeworkState } from '#lib/core/shared/learning.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { weighLesson } from '#lib/course/learning/lesson-weight.ts'
import { renderLesson } from '#lib/course/lesson/render.ts'
import { filesShown } from '#lib/course/lesson/shown-files.ts'
import { lesson } from '#lib/course/table.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import { openPlayback } from '#lib/storage/video/playback.ts'
import { membership, user } from '#lib/user/table.ts'
import { lateness, writable } from '../rules.ts'
import type { Annotation } from '../schema.ts'
import { submission, task } from '../table.ts'
import { type AttemptRow, mustBeStudent, type TaskRow } from './attempt.ts'
import { type WorkFileView, workFiles } from './files.ts'
import { type MessageView, messagesOf } from './messages.ts'
import { LessonHomework } from './schema.ts'

/** What a reviewer said of an attempt; shown once it was said. */
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
  state: HomeworkState
  text: string
  files: WorkFileView[]
  submittedAt: Date | null
  late: boolean
  answerBy: Date | null
  verdict: VerdictView | null
  /** A verdict that the student has not seen before. */
  fresh: boolean
}

export interface OwnTask {
  id: string
  title: string
  type: 'file' | 'video'
  instructions: string
  files: WorkFileView[]
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
  /** HTML; only after the work was accepted, where the author wants that. */
  sample: string | null
  /** Handed in already, the latest first; the attempt that is written now is `draft`. */
  attempts: AttemptView[]
  /** The attempt that can be written now; null when none can. */
  draft: { attempt: number; version: number; text: string; files: WorkFileView[] } | null
  /** Why nothing can be written: it waits or was judged, no attempts are left, the term is over. */
  shut: 'closed' | 'exhausted' | 'over' | null
  messages: MessageView[]
}

/**
 * A lesson's homework as its student sees it. The caller has opened the lesson for the student. A lesson without tasks
 * costs one statement. Refuses with forbidden, not_found.
 */
export async function getHomework(
  actor: Actor,
  input: { lessonId: string },
  locale: Locale = actor.locale,
): Promise<OwnTask[]> {
  mustBeStudent(actor)
  const { lessonId } = LessonHomework.parse(input)
  return inTenant(actor, async (tx) => {
    const given = and(eq(task.lessonId, lesson.id), isNull(task.deletedAt), sql`${task.title} <> ''`)
    const found = await tx
      .select({ task })
      .from(lesson)
      .leftJoin(task, given)
      .where(eq(lesson.id, lessonId))
      .orderBy(asc(task.position), asc(task.id))
    if (found.length === 0) throw new Refusal('not_found')
    const tasks = found.flatMap((row) => row.task ?? [])
    if (tasks.length === 0) return []
    const { termOf } = await weighLesson(tx, { studentId: actor.membershipId, lessonId })
    const rows = await loadOwn(tx, actor, tasks)
    const ids = [...tasks.flatMap(({ fileIds }) => fileIds), ...rows.flatMap(({ row }) => row.fileIds)]
    const files = await workFiles(tx, actor, [...new Set(ids)])
    const views: OwnTask[] = []
    for (const about of tasks) {
      const own = rows.filter(({ row }) => row.taskId === about.id)
      const dueAt = about.dueRule && termOf(about.dueRule)
      views.push(await viewOf(tx, actor, { about, own, files, dueAt, locale }))
    }
    return views
  })
}

type Own = Awaited<ReturnType<typeof loadOwn>>[number]

interface Parts {
  about: TaskRow
  own: Own[]
  files: Map<string, WorkFileView>
  dueAt: Date | null
  locale: Locale
}

async function viewOf(tx: Tx, actor: Actor, { about, own, files, dueAt, locale }: Parts): Promise<OwnTask> {
  const shown = async (doc: LessonDoc) => renderLesson(doc, await filesShown(tx, actor, doc, locale))
  const filesOf = (ids: string[]) => ids.flatMap((id) => files.get(id) ?? [])
  const [latest] = own
  const next = writable({ latest: latest?.row ?? null, maxAttempts: about.maxAttempts })
  const over = lateness({ dueAt, latePolicy: about.latePolicy }, new Date()).refused
  const attempts: AttemptView[] = []
  for (const { row, by } of own.filter(({ row }) => row.state !== 'draft')) {
    attempts.push({
      attempt: row.attempt,
      state: row.state,
      text: row.text,
      files: filesOf(row.fileIds),
      submittedAt: row.submittedAt,
      late: row.late,
      answerBy: row.answerBy,
      verdict: isJudged(row) ? await verdictOf(actor, about, { row, by }, shown) : null,
      fresh: isJudged(row) && row.readByStudentAt === null,
    })
  }
  const accepted = attempts.some(({ state }) => state === 'accepted')
  const tells = accepted && about.showSample === 'afterAccept' && about.sampleAnswer !== null
  return {
    id: about.id,
    title: about.title,
    type: about.type,
    acceptTypes: about.acceptTypes,
    maxFiles: about.maxFiles,
    maxBytes: about.maxBytes,
    maxAttempts: about.maxAttempts,
    latePolicy: about.latePolicy,
    required: about.required,
    rubric: about.rubric,
    dueAt,
    maxPoints: about.grading === 'points' ? about.maxPoints : null,
    passPoints: about.grading === 'points' ? about.passPoints : null,
    instructions: await shown(about.instructions),
    files: filesOf(about.fileIds).filter(({ arrived }) => arrived),
    sample: tells && about.sampleAnswer ? await shown(about.sampleAnswer) : null,
    attempts,
    draft: 'attempt' in next && !over ? draftOf(next.attempt, latest?.row, filesOf) : null,
    shut: 'because' in next ? next.because : over ? 'over' : null,
    messages: await messagesOf(tx, actor, about.id, actor.membershipId),
  }
}

/** A next attempt that nobody has begun yet shows what the one before had. */
function draftOf(attempt: number, row: AttemptRow | undefined, filesOf: (ids: string[]) => WorkFileView[]) {
  const version = row?.attempt === attempt ? row.version : 0
  return { attempt, version, text: row?.text ?? '', files: filesOf(row?.fileIds ?? []) }
}

const isJudged = ({ state, reviewedAt }: AttemptRow): boolean =>
  reviewedAt !== null && (state === 'accepted' || state === 'returned' || state === 'rejected')

async function verdictOf(
  actor: Actor,
  about: TaskRow,
  { row, by }: Own,
  shown: (doc: LessonDoc) => Promise<string>,
): Promise<VerdictView> {
  return {
    at: row.reviewedAt ?? row.updatedAt,
    by,
    score: row.score,
    annotations: row.annotations,
    feedback: row.feedback ? await shown(row.feedback) : null,
    rubric: about.rubric.flatMap(({ id, title, levels }) => {
      const level = levels[row.rubricMarks.find(({ criterionId }) => criterionId === id)?.level ?? -1]
      return level ? [{ title, level: level.title, text: level.text, points: level.points }] : []
    }),
    voice: row.voiceFileId ? await openPlayback(actor, row.voiceFileId).catch(nullIfRefused) : null,
  }
}

function loadOwn(tx: Tx, actor: Actor, tasks: readonly TaskRow[]) {
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
