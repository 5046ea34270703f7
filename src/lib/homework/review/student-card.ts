import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '#lib/core/db/db.ts'
import { microsecondsOf, rowOfKey } from '#lib/core/db/keyset.ts'
import { InstantKey, readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { SUBMISSION_STATES } from '#lib/core/shared/learning.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import type { Risk } from '#lib/student/card/rules.ts'
import type { CardSection, SectionPage } from '#lib/student/card/section.ts'

const PAGE_SIZE = 30
/** A reply that the student has not read for this many days is a risk. */
const UNREAD_DAYS = 2

/** The sections of homework in the student card: attempts, submissions and verdicts, and unread replies. */
export const homeworkCardSection: CardSection = {
  key: 'homework',
  labelKey: 'homework:card.tab',
  list: listSubmissions,
  timeline: (studentId) => [
    submissionEntries(studentId, 'submitted_at', 'submitted'),
    submissionEntries(studentId, 'reviewed_at', 'reviewed'),
  ],
  risks: findUnreadReplies,
}

function submissionEntries(studentId: string, column: string, kind: string): SQL {
  return sql`select s.${sql.raw(column)} as at, s.id, ${kind}::text as kind, t.title, '/homework/' || s.id as href
    from submission s join task t on t.tenant_id = s.tenant_id and t.id = s.task_id
    where s.tenant_id = current_tenant() and s.student_id = ${studentId} and s.${sql.raw(column)} is not null`
}

const Row = z.object({
  id: z.string(),
  title: z.string(),
  context: z.string(),
  state: z.enum(SUBMISSION_STATES),
  late: z.boolean(),
  at: z.coerce.date(),
  micros: z.string(),
})

async function listSubmissions(tx: Tx, studentId: string, cursor: string | undefined): Promise<SectionPage> {
  const after = readCursor(InstantKey, cursor)
  const older = after ? sql`and (s.updated_at, s.id) < ${rowOfKey(after)}` : sql``
  const { rows } = await tx.execute<Record<string, unknown>>(sql`
    select s.id, t.title, c.title as context, s.state, s.late, s.updated_at as at,
      ${microsecondsOf(sql`s.updated_at`)} as micros
    from submission s join task t on t.tenant_id = s.tenant_id and t.id = s.task_id
      join course c on c.tenant_id = s.tenant_id and c.id = s.course_id
    where s.tenant_id = current_tenant() and s.student_id = ${studentId} and s.state <> 'draft' ${older}
    order by s.updated_at desc, s.id desc limit ${PAGE_SIZE + 1}`)
  const found = rows.map((row) => parseStored(Row, row))
  const last = found.length > PAGE_SIZE ? found[PAGE_SIZE - 1] : undefined
  return {
    items: found.slice(0, PAGE_SIZE).map(({ id, title, context, state, late, at }) => ({
      id,
      title,
      context,
      at,
      href: `/homework/${id}`,
      stateKey: `homework:state.${state}` as const,
      isGood: state === 'accepted' ? true : state === 'returned' || state === 'rejected' ? false : null,
      noteKey: late ? ('homework:card.late' as const) : null,
    })),
    next: last ? writeCursor(InstantKey, { at: last.micros, id: last.id }) : null,
  }
}

async function findUnreadReplies(tx: Tx, studentId: string, now: Date): Promise<Risk[]> {
  const before = sql`${now.toISOString()}::timestamptz - ${UNREAD_DAYS} * interval '1 day'`
  const { rows } = await tx.execute<{ replies: number }>(sql`select (
    (select count(*) from submission where tenant_id = current_tenant() and student_id = ${studentId}
      and reviewed_at < ${before} and read_by_student_at is null) +
    (select count(*) from homework_message where tenant_id = current_tenant() and student_id = ${studentId}
      and author_id <> student_id and at < ${before} and read_at is null))::int as replies`)
  const count = rows[0]?.replies ?? 0
  return count > 0 ? [{ kind: 'unreadReply', count }] : []
}
