import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { requirePlan } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { matchesSearchText } from '#lib/core/db/search.ts'
import { readCursor, writeCursor } from '#lib/core/http/cursor.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { parseStored } from '#lib/core/shared/parse-stored.ts'
import { membership } from '#lib/user/table.ts'
import { isMentorOf, lockManagedProgram, requireProgramReader } from './permission.ts'
import type { ChangeEnrolment, EnrolmentId, EnrolStudents, ListEnrolments, ProgramId } from './schema.ts'
import { mentorProgram, programEnrolment } from './table.ts'

const EnrolledStudent = z.object({
  id: z.string(),
  studentId: z.string(),
  name: z.string(),
  email: z.string(),
  mentorId: z.string().nullable(),
  sessionsTotal: z.number().nullable(),
  usedCount: z.number(),
  lastAt: z.coerce.date().nullable(),
  nextAt: z.coerce.date().nullable(),
})
export type EnrolledStudent = z.output<typeof EnrolledStudent>

export interface EnrolmentPage {
  items: EnrolledStudent[]
  next: string | null
}

/** The name of the last student of a page, as it is sorted. */
const EnrolmentKey = z.object({ lastName: z.string().max(300), firstName: z.string().max(300), id: z.uuid() })

/** The students with access to a program, by name, each with the balance. Refuses with forbidden, not_found, invalid. */
export function listEnrolments(
  actor: Actor,
  { programId, cursor, limit }: ListEnrolments,
  now = new Date(),
): Promise<EnrolmentPage> {
  requireProgramReader(actor)
  const after = readCursor(EnrolmentKey, cursor)
  const isAfter = after
    ? sql`and (u.last_name, u.first_name, e.id) > (${after.lastName}, ${after.firstName}, ${after.id}::uuid)`
    : sql``
  return inTenant(actor, async (tx) => {
    const known = await tx.select({ id: mentorProgram.id }).from(mentorProgram).where(eq(mentorProgram.id, programId))
    if (known.length === 0) throw new Refusal('not_found')
    const { rows } = await tx.execute<Record<string, unknown>>(sql`
      select e.id, e.student_id as "studentId", e.mentor_id as "mentorId", e.sessions_total as "sessionsTotal",
        ${personNameIn('u')} as name, u.email,
        u.last_name as "lastName", u.first_name as "firstName",
        coalesce(b.used, 0) as "usedCount", b.last_at as "lastAt", b.next_at as "nextAt"
      from program_enrolment e join membership m on m.tenant_id = e.tenant_id and m.id = e.student_id
        join "user" u on u.id = m.user_id
        left join lateral (
          select count(*) filter (where b.uses_credit)::int as used,
            max(s.start_at) filter (where s.start_at <= ${now.toISOString()}::timestamptz and b.state = 'completed') as last_at,
            min(s.start_at) filter (where s.end_at > ${now.toISOString()}::timestamptz and b.state in ('requested', 'confirmed')) as next_at
          from booking b join mentor_session s on s.tenant_id = b.tenant_id and s.id = b.session_id
          where b.tenant_id = e.tenant_id and b.enrolment_id = e.id) b on true
      where e.tenant_id = current_tenant() and e.program_id = ${programId} and e.revoked_at is null ${isAfter}
      order by u.last_name, u.first_name, e.id limit ${limit + 1}`)
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return {
      items: rows.slice(0, limit).map((row) => parseStored(EnrolledStudent, row)),
      next: last ? writeCursor(EnrolmentKey, parseStored(EnrolmentKey, last)) : null,
    }
  })
}

/**
 * Gives students access with a number of sessions; those who have access are skipped. Returns how many were added.
 * Refuses with forbidden, plan_inactive, not_found (program, a student, the group, or a mentor of another program).
 */
export function enrolStudents(actor: Actor, input: EnrolStudents): Promise<{ count: number }> {
  const { programId, groupId, mentorId, sessionsTotal } = input
  return inTenant(actor, async (tx) => {
    const program = await lockManagedProgram(tx, actor, programId)
    if (program.status === 'archived') {
      throw formRefusal('program_archived')
    }
    if (mentorId && !(await isMentorOf(tx, programId, mentorId))) throw new Refusal('not_found')
    const studentIds = groupId ? await listGroupStudents(tx, groupId) : [...new Set(input.studentIds)].sort()
    if (!groupId) await requireStudents(tx, studentIds)
    const source = groupId ? ('group' as const) : ('manual' as const)
    const count = await insertEnrolments(tx, actor.tenantId, {
      programId,
      studentIds,
      mentorId,
      sessionsTotal,
      source,
      sourceId: groupId,
    })
    if (count > 0) {
      await recordAuditEntry(tx, actor, {
        action: 'program.students_changed',
        objectId: programId,
        objectName: program.title,
        after: { students: count },
      })
    }
    return { count }
  })
}

/** Changes the number of sessions of a student, and the mentor unless it is absent. Refuses with forbidden, plan_inactive, not_found. */
export async function changeEnrolment(actor: Actor, input: ChangeEnrolment): Promise<void> {
  const { enrolmentId, sessionsTotal, mentorId } = input
  requirePlan(actor, 'lms')
  await inTenant(actor, async (tx) => {
    const { programId } = await findEnrolment(tx, enrolmentId)
    await lockManagedProgram(tx, actor, programId)
    if (mentorId && !(await isMentorOf(tx, programId, mentorId))) throw new Refusal('not_found')
    await tx
      .update(programEnrolment)
      .set({ sessionsTotal, ...(mentorId !== undefined && { mentorId }) })
      .where(and(eq(programEnrolment.id, enrolmentId), isNull(programEnrolment.revokedAt)))
  })
}

/**
 * Ends the access of a student; booked sessions stay. A repeated call changes nothing. Refuses with forbidden,
 * plan_inactive, not_found.
 */
export const revokeEnrolment = (actor: Actor, { enrolmentId }: EnrolmentId): Promise<void> =>
  setRevoked(actor, enrolmentId, new Date())

/** Undoes the end of access; nothing happens when the student has got access again. Refuses as revokeEnrolment. */
export const restoreEnrolment = (actor: Actor, { enrolmentId }: EnrolmentId): Promise<void> =>
  setRevoked(actor, enrolmentId, null)

async function setRevoked(actor: Actor, enrolmentId: string, revokedAt: Date | null): Promise<void> {
  requirePlan(actor, 'lms')
  await inTenant(actor, async (tx) => {
    const { programId, studentId } = await findEnrolment(tx, enrolmentId)
    const program = await lockManagedProgram(tx, actor, programId)
    const open = await tx
      .select({ id: programEnrolment.id })
      .from(programEnrolment)
      .where(
        and(
          eq(programEnrolment.programId, programId),
          eq(programEnrolment.studentId, studentId),
          isNull(programEnrolment.revokedAt),
        ),
      )
    if (revokedAt ? !open.some(({ id }) => id === enrolmentId) : open.length > 0) return
    await tx.update(programEnrolment).set({ revokedAt }).where(eq(programEnrolment.id, enrolmentId))
    await recordAuditEntry(tx, actor, {
      action: 'program.students_changed',
      objectId: programId,
      objectName: program.title,
      after: { revoked: revokedAt !== null },
    })
  })
}

async function findEnrolment(tx: Tx, enrolmentId: string) {
  const [row] = await tx
    .select({ programId: programEnrolment.programId, studentId: programEnrolment.studentId })
    .from(programEnrolment)
    .where(eq(programEnrolment.id, enrolmentId))
  if (!row) throw new Refusal('not_found')
  return row
}

interface NewEnrolments {
  programId: string
  studentIds: readonly string[]
  mentorId: string | null
  sessionsTotal: number | null
  source: 'manual' | 'group'
  sourceId: string | null
}

async function insertEnrolments(tx: Tx, tenantId: string, added: NewEnrolments): Promise<number> {
  const { studentIds, ...columns } = added
  if (studentIds.length === 0) return 0
  const rows = await tx
    .insert(programEnrolment)
    .values(studentIds.map((studentId) => ({ ...columns, tenantId, studentId })))
    .onConflictDoNothing()
    .returning({ id: programEnrolment.id })
  return rows.length
}

async function requireStudents(tx: Tx, studentIds: readonly string[]): Promise<void> {
  if (studentIds.length === 0) throw new Refusal('unprocessable', { fields: { studentIds: ['required'] } })
  const rows = await tx
    .select({ id: membership.id })
    .from(membership)
    .where(
      and(
        sql`${membership.tenantId} = current_tenant()`,
        inArray(membership.id, [...studentIds]),
        eq(membership.accountType, 'ACCOUNT_TYPE_STUDENT'),
        isNull(membership.blockedAt),
      ),
    )
  if (rows.length < studentIds.length) throw new Refusal('not_found')
}

/** The present members of a study group. Refuses with not_found. */
async function listGroupStudents(tx: Tx, groupId: string): Promise<string[]> {
  const { rows } = await tx.execute<{ studentId: string | null }>(sql`
    select g.student_id as "studentId" from study_group s
      left join enrolled_grants() g on g.source_type = 'group' and g.source_id = s.id
    where s.tenant_id = current_tenant() and s.id = ${groupId} order by g.student_id`)
  if (rows.length === 0) throw new Refusal('not_found')
  return [...new Set(rows.flatMap(({ studentId }) => studentId ?? []))]
}

const Option = z.object({ id: z.string(), name: z.string() })

/** The groups and students that can be given access: for the form. Refuses with forbidden. */
export function listEnrolmentOptions(actor: Actor, { programId, search }: ProgramId & { search: string }) {
  requireProgramReader(actor)
  return inTenant(actor, async (tx) => {
    const matching = matchesSearchText(search, sql`u.search`) ?? sql`true`
    const [students, groups, program] = await Promise.all([
      tx.execute<Record<string, unknown>>(sql`
        select m.id, ${personNameIn('u')} as name
        from membership m join "user" u on u.id = m.user_id
        where m.tenant_id = current_tenant() and m.account_type = 'ACCOUNT_TYPE_STUDENT' and m.blocked_at is null
          and ${matching}
          and not exists (select 1 from program_enrolment e where e.tenant_id = m.tenant_id
            and e.program_id = ${programId} and e.student_id = m.id and e.revoked_at is null)
        order by u.last_name, u.first_name, m.id limit ${MAX_OPTIONS}`),
      tx.execute<Record<string, unknown>>(sql`
        select id, name from study_group where tenant_id = current_tenant() and archived_at is null
        order by name, id limit ${MAX_OPTIONS}`),
      tx
        .select({ sessionsIncluded: mentorProgram.sessionsIncluded })
        .from(mentorProgram)
        .where(eq(mentorProgram.id, programId)),
    ])
    return {
      students: students.rows.map((row) => parseStored(Option, row)),
      groups: groups.rows.map((row) => parseStored(Option, row)),
      sessionsIncluded: program[0]?.sessionsIncluded ?? null,
    }
  })
}

const MAX_OPTIONS = 100
