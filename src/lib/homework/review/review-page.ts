import { and, desc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { type AnyPgColumn, alias } from 'drizzle-orm/pg-core'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import type { InstantKey } from '#lib/core/http/cursor.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { renderLesson } from '#lib/course/lesson/render.ts'
import { course, lesson } from '#lib/course/table.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import { originalAddress, type Picture, pictureFor } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import { openPlayback } from '#lib/storage/video/playback.ts'
import { membership, user } from '#lib/user/table.ts'
import { submission, submissionEvent, task } from '../table.ts'
import { personOf } from './lock.ts'
import { pickWorks, type Scope } from './queue-sql.ts'
import { holdsLock } from './rules.ts'
import { GetDesk, LOCK_MINUTES, type QueueFilter, WorkFile } from './schema.ts'
import { isWithin, mustKnow, mustSeeQueue, scopeOf } from './scope.ts'

export interface DeskFile {
  id: string
  name: string
  mime: string
  kind: string
  /** Bytes. */
  size: number
  /** What can be shown as a picture. */
  picture: Picture | null
  /** Signed for the reader's session. */
  address: string
  download: string
}

/**
 * All that a reviewer needs of one work: the answer, the student's earlier attempts, the draft of the review, who holds
 * it, and its neighbours in the queue that `input` filters. Nothing is taken by looking: see openWork. The same number
 * of statements whatever the school's size. Refuses with forbidden, not_found.
 */
export function getDesk(actor: Actor, input: GetDesk) {
  mustSeeQueue(actor)
  const { submissionId, ...filter } = GetDesk.parse(input)
  return inTenant(actor, async (tx) => {
    const scope = await scopeOf(tx, actor)
    await mustKnow(tx, scope, filter)
    const found = await loadWork(tx, submissionId)
    if (!found || found.attempt.state === 'draft' || !isWithin(scope, found.course.id)) throw new Refusal('not_found')
    const { attempt, at, due, ...about } = found
    const attempts = await loadAttempts(tx, attempt)
    const files = await loadFiles(tx, actor, attempts)
    const shown = attempts.map((one) => ({
      id: one.id,
      attempt: one.attempt,
      state: one.state,
      late: one.late,
      text: one.text,
      submittedAt: one.submittedAt,
      reviewedAt: one.reviewedAt,
      score: one.score,
      by: one.by,
      files: one.fileIds.flatMap((id) => files.get(id) ?? []),
      feedback: one.reviewedAt && one.feedback ? renderLesson(one.feedback) : null,
      voiceFileId: one.reviewedAt ? one.voiceFileId : null,
      annotations: one.reviewedAt ? one.annotations : [],
    }))
    const held = holdsLock(attempt, LOCK_MINUTES)
    return {
      id: submissionId,
      ...about,
      task: {
        ...about.task,
        instructions: renderLesson(about.task.instructions),
        sampleAnswer: about.task.sampleAnswer && renderLesson(about.task.sampleAnswer),
      },
      answerBy: attempt.answerBy,
      holder: held ? await personOf(tx, attempt.lockedBy) : null,
      mine: held && attempt.lockedBy === actor.membershipId,
      draft: {
        feedback: attempt.feedback,
        score: attempt.score,
        rubricMarks: attempt.rubricMarks,
        annotations: attempt.annotations,
        voiceFileId: attempt.voiceFileId,
        version: attempt.feedbackVersion,
      },
      attempts: shown,
      events: await loadEvents(tx, submissionId),
      ...(await loadNeighbours(
        tx,
        { actor, filter, scope },
        { at: filter.tab === 'overdue' ? due : at, id: submissionId },
      )),
    }
  })
}
export type DeskView = Awaited<ReturnType<typeof getDesk>>

/** What a player needs to play a film or a voice of a work. Refuses with forbidden, not_found. */
export async function getWorkFilm(actor: Actor, input: WorkFile): Promise<PlaybackView> {
  mustSeeQueue(actor)
  const { submissionId, fileId } = WorkFile.parse(input)
  await inTenant(actor, async (tx) => {
    const scope = await scopeOf(tx, actor)
    const [found] = await tx
      .select({ courseId: submission.courseId })
      .from(submission)
      .where(
        and(
          eq(submission.id, submissionId),
          ne(submission.state, 'draft'),
          sql`(${fileId}::uuid = any(${submission.fileIds}) or ${submission.voiceFileId} = ${fileId}::uuid)`,
        ),
      )
    if (!found || !isWithin(scope, found.courseId)) throw new Refusal('not_found')
  })
  return openPlayback(actor, fileId)
}

const judge = { member: alias(membership, 'judge_member'), user: alias(user, 'judge_user') }
const nameOf = (who: Record<'firstName' | 'lastName' | 'email', AnyPgColumn>) =>
  sql<string>`coalesce(nullif(trim(${who.firstName} || ' ' || ${who.lastName}), ''), ${who.email})`

async function loadWork(tx: Tx, submissionId: string) {
  const [found] = await tx
    .select({
      attempt: submission,
      at: sql<string | null>`(extract(epoch from ${submission.submittedAt}) * 1000000)::bigint::text`,
      due: sql<string | null>`(extract(epoch from ${submission.answerBy}) * 1000000)::bigint::text`,
      course: { id: course.id, title: course.title },
      lesson: { id: lesson.id, title: lesson.title },
      student: { id: membership.id, name: nameOf(user), email: user.email, locale: user.locale },
      groups: sql<string[]>`array(select g.name from access_grant a join study_group g on g.tenant_id = a.tenant_id
        and g.id = a.source_id where a.tenant_id = current_tenant() and a.student_id = ${submission.studentId}
        and a.course_id = ${submission.courseId} and a.source_type = 'group' and a.revoked_at is null order by g.name)`,
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
  return found
}

const MOST_ATTEMPTS = 50

async function loadAttempts(tx: Tx, { taskId, studentId }: { taskId: string; studentId: string }) {
  const rows = await tx
    .select({ row: submission, by: nameOf(judge.user) })
    .from(submission)
    .leftJoin(judge.member, eq(judge.member.id, submission.reviewedBy))
    .leftJoin(judge.user, eq(judge.user.id, judge.member.userId))
    .where(and(eq(submission.taskId, taskId), eq(submission.studentId, studentId), ne(submission.state, 'draft')))
    .orderBy(desc(submission.attempt))
    .limit(MOST_ATTEMPTS)
  return rows.map(({ row, by }) => ({ ...row, by: row.reviewedBy ? by : null }))
}

async function loadFiles(tx: Tx, actor: Actor, attempts: readonly { fileIds: string[] }[]) {
  const ids = [...new Set(attempts.flatMap(({ fileIds }) => fileIds))]
  if (ids.length === 0) return new Map<string, DeskFile>()
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
  const views = rows.map((row): [string, DeskFile] => {
    const { id, name, mime, kind, size } = row
    const picture = kind === 'image' ? pictureFor(actor, row) : null
    const download = originalAddress(actor, row, { download: true })
    return [id, { id, name, mime, kind, size, picture, address: originalAddress(actor, row), download }]
  })
  return new Map(views)
}

function loadEvents(tx: Tx, submissionId: string) {
  return tx
    .select({ event: submissionEvent.event, at: submissionEvent.at, by: nameOf(user) })
    .from(submissionEvent)
    .innerJoin(membership, eq(membership.id, submissionEvent.by))
    .innerJoin(user, eq(user.id, membership.userId))
    .where(eq(submissionEvent.submissionId, submissionId))
    .orderBy(desc(submissionEvent.at), desc(submissionEvent.id))
    .limit(100)
}

async function loadNeighbours(
  tx: Tx,
  { actor, filter, scope }: { actor: Actor; filter: QueueFilter; scope: Scope },
  { at, id }: { at: string | null; id: string },
): Promise<{ previous: string | null; next: string | null }> {
  const here: InstantKey | null = at === null ? null : { at, id }
  const beside = (back: boolean) => {
    const picked = pickWorks({ actor, filter, scope, limit: 2, after: here, back })
    return sql`(select x.id from (${picked}) x where x.id <> ${id} limit 1)`
  }
  const { rows } = await tx.execute<{ previous: string | null; next: string | null }>(
    sql`select ${here ? beside(true) : sql`null::uuid`} as previous, ${beside(false)} as next`,
  )
  return { previous: rows[0]?.previous ?? null, next: rows[0]?.next ?? null }
}
