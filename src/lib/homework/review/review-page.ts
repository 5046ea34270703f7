import { and, desc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { personName } from '#lib/core/db/person-name.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { renderLesson } from '#lib/course/lesson/render.ts'
import { course, lesson } from '#lib/course/table.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import { originalUrl, type Picture, pictureFor } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import { openPlayback } from '#lib/storage/video/playback.ts'
import { membership, user } from '#lib/user/table.ts'
import { submission, submissionEvent, task } from '../table.ts'
import { loadAdjacentWork } from './adjacent-work.ts'
import { findMember } from './lock.ts'
import { holdsLock } from './rules.ts'
import { type FileOfSubmission, type GetReviewPage, LOCK_MINUTES } from './schema.ts'
import { isWithin, loadScope, requireFilterInScope, requireQueueAccess } from './scope.ts'

interface SubmissionFile {
  id: string
  name: string
  mime: string
  kind: string
  /** Bytes. */
  size: number
  /** URLs of the picture; null for other kinds. */
  picture: Picture | null
  /** URL signed for the reader's login session. */
  address: string
  download: string
}

/**
 * Everything that the review page shows: the answer, earlier attempts, the draft of the review, the holder of the lock,
 * and the previous and next work in the queue that `input` filters. Does not lock, see openSubmission. The number
 * of statements does not depend on the size of the tenant. Refuses with forbidden, not_found.
 */
export function getReviewPage(actor: Actor, input: GetReviewPage) {
  requireQueueAccess(actor)
  const { submissionId, ...filter } = input
  return inTenant(actor, async (tx) => {
    const scope = await loadScope(tx, actor)
    await requireFilterInScope(tx, scope, filter)
    const row = await loadSubmission(tx, submissionId)
    if (!row || row.attempt.state === 'draft' || !isWithin(scope, row.course.id)) throw new Refusal('not_found')
    const { attempt, at, due, ...related } = row
    const attempts = await loadAttempts(tx, attempt)
    const files = await loadAttemptFiles(tx, actor, attempts)
    const attemptViews = attempts.map((row) => ({
      id: row.id,
      attempt: row.attempt,
      state: row.state,
      late: row.late,
      text: row.text,
      submittedAt: row.submittedAt,
      reviewedAt: row.reviewedAt,
      score: row.score,
      by: row.by,
      files: row.fileIds.flatMap((id) => files.get(id) ?? []),
      feedback: row.reviewedAt && row.feedback ? renderLesson(row.feedback) : null,
      voiceFileId: row.reviewedAt ? row.voiceFileId : null,
      annotations: row.reviewedAt ? row.annotations : [],
    }))
    const isLocked = holdsLock(attempt, LOCK_MINUTES)
    return {
      id: submissionId,
      ...related,
      task: {
        ...related.task,
        instructions: renderLesson(related.task.instructions),
        sampleAnswer: related.task.sampleAnswer && renderLesson(related.task.sampleAnswer),
      },
      answerBy: attempt.answerBy,
      holder: isLocked ? await findMember(tx, attempt.lockedBy) : null,
      isMine: isLocked && attempt.lockedBy === actor.membershipId,
      draft: {
        feedback: attempt.feedback,
        score: attempt.score,
        rubricMarks: attempt.rubricMarks,
        annotations: attempt.annotations,
        voiceFileId: attempt.voiceFileId,
        version: attempt.feedbackVersion,
      },
      attempts: attemptViews,
      events: await loadEvents(tx, submissionId),
      ...(await loadAdjacentWork(
        tx,
        { actor, filter, scope },
        { at: filter.tab === 'overdue' ? due : at, id: submissionId },
      )),
    }
  })
}

/** The playback data of a video or a voice comment of a submission. Refuses with forbidden, not_found. */
export async function getSubmissionPlayback(actor: Actor, input: FileOfSubmission): Promise<PlaybackView> {
  requireQueueAccess(actor)
  const { submissionId, fileId } = input
  await inTenant(actor, async (tx) => {
    const scope = await loadScope(tx, actor)
    const [row] = await tx
      .select({ courseId: submission.courseId })
      .from(submission)
      .where(
        and(
          eq(submission.id, submissionId),
          ne(submission.state, 'draft'),
          sql`(${fileId}::uuid = any(${submission.fileIds}) or ${submission.voiceFileId} = ${fileId}::uuid)`,
        ),
      )
    if (!row || !isWithin(scope, row.courseId)) throw new Refusal('not_found')
  })
  return openPlayback(actor, fileId)
}

const reviewer = { member: alias(membership, 'judge_member'), user: alias(user, 'judge_user') }

async function loadSubmission(tx: Tx, submissionId: string) {
  const [row] = await tx
    .select({
      attempt: submission,
      at: sql<string | null>`(extract(epoch from ${submission.submittedAt}) * 1000000)::bigint::text`,
      due: sql<string | null>`(extract(epoch from ${submission.answerBy}) * 1000000)::bigint::text`,
      course: { id: course.id, title: course.title },
      lesson: { id: lesson.id, title: lesson.title },
      student: { id: membership.id, name: personName(user), email: user.email, locale: user.locale },
      groups: sql<string[]>`array(select g.name from enrolled_grants() a join study_group g on g.tenant_id = a.tenant_id
        and g.id = a.source_id where a.student_id = ${submission.studentId}
        and a.course_id = ${submission.courseId} and a.source_type = 'group' order by g.name)`,
      task: {
        id: task.id,
        title: task.title,
        type: task.type,
        instructions: task.instructions,
        grading: task.grading,
        maxPoints: task.maxPoints,
        passPoints: task.passPoints,
        rubric: task.rubric,
        sampleAnswer: task.sampleAnswer,
        maxAttempts: task.maxAttempts,
      },
    })
    .from(submission)
    .innerJoin(task, eq(task.id, submission.taskId))
    .innerJoin(course, eq(course.id, submission.courseId))
    .innerJoin(lesson, eq(lesson.id, submission.lessonId))
    .innerJoin(membership, eq(membership.id, submission.studentId))
    .innerJoin(user, eq(user.id, membership.userId))
    .where(eq(submission.id, submissionId))
  return row
}

const MAX_ATTEMPTS = 50

async function loadAttempts(tx: Tx, { taskId, studentId }: { taskId: string; studentId: string }) {
  const rows = await tx
    .select({ row: submission, by: personName(reviewer.user) })
    .from(submission)
    .leftJoin(reviewer.member, eq(reviewer.member.id, submission.reviewedBy))
    .leftJoin(reviewer.user, eq(reviewer.user.id, reviewer.member.userId))
    .where(and(eq(submission.taskId, taskId), eq(submission.studentId, studentId), ne(submission.state, 'draft')))
    .orderBy(desc(submission.attempt))
    .limit(MAX_ATTEMPTS)
  return rows.map(({ row, by }) => ({ ...row, by: row.reviewedBy ? by : null }))
}

async function loadAttemptFiles(tx: Tx, actor: Actor, attempts: readonly { fileIds: string[] }[]) {
  const ids = [...new Set(attempts.flatMap(({ fileIds }) => fileIds))]
  if (ids.length === 0) return new Map<string, SubmissionFile>()
  const rows = await tx
    .select({
      id: file.id,
      name: file.name,
      mime: file.mime,
      kind: file.kind,
      size: file.size,
      width: file.width,
      height: file.height,
      widths: file.widths,
    })
    .from(file)
    .where(and(inArray(file.id, ids), isNull(file.deletedAt)))
  const views = rows.map((row): [string, SubmissionFile] => {
    const { id, name, mime, kind, size } = row
    const picture = kind === 'image' ? pictureFor(actor, row) : null
    const download = originalUrl(actor, row, { download: true })
    return [id, { id, name, mime, kind, size, picture, address: originalUrl(actor, row), download }]
  })
  return new Map(views)
}

function loadEvents(tx: Tx, submissionId: string) {
  return tx
    .select({ event: submissionEvent.event, at: submissionEvent.at, by: personName(user) })
    .from(submissionEvent)
    .innerJoin(membership, eq(membership.id, submissionEvent.by))
    .innerJoin(user, eq(user.id, membership.userId))
    .where(eq(submissionEvent.submissionId, submissionId))
    .orderBy(desc(submissionEvent.at), desc(submissionEvent.id))
    .limit(100)
}
