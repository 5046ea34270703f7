import { type SQL, sql } from 'drizzle-orm'
import { addressOf } from '#lib/core/config/config.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { formatFullDateTime } from '#lib/core/shared/locale.ts'
import { formatZoneName } from '#lib/core/shared/time-zone-names.ts'
import type { NotificationKind } from '#lib/notification/kind-schema.ts'
import { notify } from '#lib/notification/notify.ts'
import type { CourseDateKind } from './schema.ts'

/** Students who are notified in one transaction. */
const BATCH = 200

export interface CourseDateJob {
  tenantId: string
  kind: CourseDateKind
  /** The lesson, task or test. */
  targetId: string
  title: string
  courseId: string
  courseTitle: string
  groupId: string | null
  at: string
  /** Identifies the move, in milliseconds since 1970. */
  movedAt: number
}

const KINDS = {
  lesson: 'lesson_moved',
  homework: 'homework_due_moved',
  test: 'test_due_moved',
} as const satisfies Record<CourseDateKind, NotificationKind>

/** Notifies the students of a group, or of a course, of a new date, each in the own language and time zone. Idempotent. */
export async function announceCourseDate(job: CourseDateJob): Promise<void> {
  const { tenantId } = job
  let after: string | null = null
  do {
    after = await inTenant({ tenantId }, (tx) => announceToBatch(tx, job, after))
  } while (after)
}

/** Returns the last student of a full batch. */
async function announceToBatch(tx: Tx, job: CourseDateJob, after: string | null): Promise<string | null> {
  const { kind, targetId, title, courseId, courseTitle, groupId, at, movedAt } = job
  const { rows } = await tx.execute<{ id: string; timeZone: string; lessonId: string | null }>(sql`
    select m.id, u.time_zone as "timeZone",
      (select t.lesson_id from task t where t.tenant_id = current_tenant() and t.id = ${targetId}) as "lessonId"
    from membership m join "user" u on u.id = m.user_id
    where m.tenant_id = current_tenant() and m.id in (${studentsOf(job)})
      and ${after ? sql`m.id > ${after}` : sql`true`}
    order by m.id limit ${BATCH}`)
  const zones = new Map(rows.map(({ id, timeZone }) => [id, timeZone]))
  const link = kind === 'test' ? `/test/${targetId}` : `/course/lesson/${rows[0]?.lessonId ?? targetId}`
  await notify(tx, {
    kind: KINDS[kind],
    memberIds: [...zones.keys()],
    key: `schedule/date/${targetId}/${groupId ?? ''}/${movedAt}`,
    data: { subject: title, context: courseTitle, at: new Date(at).toISOString() },
    link,
    subjects: [{ type: 'course', id: courseId }, ...(groupId ? [{ type: 'group' as const, id: groupId }] : [])],
    expiresAt: new Date(at),
    email: ({ memberId, locale }) => {
      const t = getTranslator(locale)
      const zone = zones.get(memberId) ?? 'UTC'
      const heading = t(`notification:title.${KINDS[kind]}`, { subject: title })
      const when = `${formatFullDateTime(new Date(at), zone, locale)} (${formatZoneName(t, new Date(at), zone, locale)})`
      const button = { label: t('notification:email.open'), href: addressOf('go', link) }
      return { subject: heading, parts: { heading, paragraphs: [when, courseTitle], button } }
    },
  })
  return rows.length < BATCH ? null : (rows.at(-1)?.id ?? null)
}

/** The number of students who have access by a group, or to a course, now or later. */
export async function countNotifiableStudents(
  tx: Tx,
  target: Pick<CourseDateJob, 'courseId' | 'groupId'>,
): Promise<number> {
  const { rows } = await tx.execute<{ people: number }>(
    sql`select count(*)::int as people from (${studentsOf(target)}) students`,
  )
  return rows[0]?.people ?? 0
}

function studentsOf({ courseId, groupId }: Pick<CourseDateJob, 'courseId' | 'groupId'>): SQL {
  return sql`select distinct a.student_id from unended_grants(now()) a
    join membership s on s.tenant_id = current_tenant() and s.id = a.student_id and s.blocked_at is null
    where a.course_id = ${courseId} and ${groupId ? sql`a.group_id = ${groupId}` : sql`true`}`
}
