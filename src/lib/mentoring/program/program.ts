import { and, asc, count, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { recordAuditEntry } from '#lib/audit/audit.ts'
import { requirePlan, requireWithinLimit } from '#lib/billing/billing.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { lockUntilCommit } from '#lib/core/db/locks.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { stableJson } from '#lib/core/shared/merge.ts'
import { fullName } from '#lib/core/shared/text/person-name.ts'
import { attachFiles } from '#lib/storage/file-use.ts'
import { requireFileOfType } from '#lib/storage/require-file.ts'
import { type Picture, pictureColumns, pictureFor } from '#lib/storage/signed-url.ts'
import { file } from '#lib/storage/table.ts'
import { type AssignableMember, listAssignableMembers } from '#lib/team/assignable-members.ts'
import { membership, user } from '#lib/user/table.ts'
import { mentorAvailability } from '../availability/table.ts'
import { joinsProgramCover } from './cover.ts'
import { lockManagedProgram, type ProgramRow, requireMentoringAllowed, requireProgramReader } from './permission.ts'
import {
  canCreateProgram,
  canManageProgram,
  listProgramGaps,
  MENTOR_ROLES,
  nextProgramStatus,
  type ProgramAction,
} from './rules.ts'
import type { CreateProgram, ProgramId, ProgramSettings, ProgramStatus, SaveProgram } from './schema.ts'
import { mentorProgram, programMentor } from './table.ts'

export interface ProgramMentor {
  memberId: string
  name: string
  hasHours: boolean
}

/** A program as its editor shows it. */
export interface ProgramDetails {
  id: string
  status: ProgramStatus
  version: number
  settings: ProgramSettings
  cover: Picture | null
  mentors: ProgramMentor[]
  canManage: boolean
}

/** One program. Refuses with forbidden, not_found. */
export function getProgram(actor: Actor, { programId }: ProgramId): Promise<ProgramDetails> {
  requireProgramReader(actor)
  return inTenant(actor, async (tx) => {
    const [[found], mentors] = await Promise.all([
      tx
        .select({ row: mentorProgram, cover: pictureColumns })
        .from(mentorProgram)
        .leftJoin(file, joinsProgramCover)
        .where(eq(mentorProgram.id, programId)),
      listProgramMentors(tx, programId),
    ])
    if (!found) throw new Refusal('not_found')
    const { row, cover } = found
    const isAssigned = mentors.some(({ memberId }) => memberId === actor.membershipId)
    return {
      id: row.id,
      status: row.status,
      version: row.version,
      settings: toProgramSettings(row, mentors),
      cover: cover && pictureFor(actor, cover),
      mentors,
      canManage: canManageProgram(actor, isAssigned).allow,
    }
  })
}

/** The mentors of a program by name. */
export async function listProgramMentors(tx: Tx, programId: string): Promise<ProgramMentor[]> {
  const rows = await tx
    .select({
      memberId: programMentor.memberId,
      firstName: user.firstName,
      lastName: user.lastName,
      email: user.email,
      weekly: mentorAvailability.weekly,
    })
    .from(programMentor)
    .innerJoin(
      membership,
      and(eq(membership.tenantId, programMentor.tenantId), eq(membership.id, programMentor.memberId)),
    )
    .innerJoin(user, eq(user.id, membership.userId))
    .leftJoin(
      mentorAvailability,
      and(
        eq(mentorAvailability.tenantId, programMentor.tenantId),
        eq(mentorAvailability.memberId, programMentor.memberId),
      ),
    )
    .where(and(eq(programMentor.programId, programId), isNull(membership.blockedAt)))
    .orderBy(asc(user.lastName), asc(user.firstName), asc(programMentor.memberId))
  return rows.map(({ memberId, email, weekly, ...name }) => ({
    memberId,
    name: fullName(name) || email,
    hasHours: weekly?.some((ranges) => ranges.length > 0) ?? false,
  }))
}

/** The team members who can be mentors of a program, by name. Refuses with forbidden. */
export function listMentorCandidates(actor: Actor): Promise<AssignableMember[]> {
  requireProgramReader(actor)
  return inTenant(actor, (tx) => listAssignableMembers(tx, actor.tenantId, MENTOR_ROLES))
}

/** The settings in the order of the schema, so that equal ones are serialized equally. */
function toProgramSettings(row: ProgramRow, mentors: readonly { memberId: string }[]): ProgramSettings {
  return {
    title: row.title,
    description: row.description,
    coverFileId: row.coverFileId,
    mentorIds: mentors.map(({ memberId }) => memberId).sort(),
    format: row.format,
    seats: row.seats,
    sessionMinutes: row.sessionMinutes,
    bufferBefore: row.bufferBefore,
    bufferAfter: row.bufferAfter,
    minNoticeHours: row.minNoticeHours,
    maxDaysAhead: row.maxDaysAhead,
    slotStepMinutes: row.slotStepMinutes,
    perDayMax: row.perDayMax,
    perStudentOpenMax: row.perStudentOpenMax,
    sessionsIncluded: row.sessionsIncluded,
    cancelHours: row.cancelHours,
    reschedules: row.reschedules,
    confirmation: row.confirmation,
    assignment: row.assignment,
    place: row.place,
    placeText: row.placeText,
    questions: row.questions,
  }
}

/** The number of programs of the transaction's tenant that count towards the plan's limit: those that are not archived. */
export async function countPrograms(tx: Tx): Promise<number> {
  const [row] = await tx.select({ used: count() }).from(mentorProgram).where(ne(mentorProgram.status, 'archived'))
  return row?.used ?? 0
}

/** Before the number of programs grows: concurrent transactions of a tenant cannot exceed the plan's limit together. */
async function lockProgramLimit(tx: Tx, { tenantId }: Actor): Promise<void> {
  await lockUntilCommit(tx, 'mentor programs', tenantId)
}

/**
 * Creates a draft; a second call with the same id does nothing. Refuses with forbidden, plan_inactive, unprocessable when the plan's number of programs is used up.
 */
export function createProgram(actor: Actor, { programId, title }: CreateProgram): Promise<ProgramId> {
  requireMentoringAllowed(canCreateProgram(actor))
  requirePlan(actor, 'lms')
  return inTenant(actor, async (tx) => {
    await lockProgramLimit(tx, actor)
    const [known] = await tx.select({ id: mentorProgram.id }).from(mentorProgram).where(eq(mentorProgram.id, programId))
    if (known) return { programId }
    requireWithinLimit(actor, 'mentor_program_count', await countPrograms(tx))
    await tx.insert(mentorProgram).values({ tenantId: actor.tenantId, id: programId, title })
    await recordAuditEntry(tx, actor, { action: 'program.created', objectId: programId, objectName: title })
    return { programId }
  })
}

/**
 * Saves a program based on `version`; the same settings sent again succeed. Sessions that are booked keep their time.
 * Refuses with forbidden, plan_inactive, not_found, conflict with the newer version in `data`, unprocessable
 * (program_archived; mentors_unknown for a mentor who is blocked or has no suitable role; not_ready of a published one),
 * not_found and wrong_type for a cover that is no image of the storage.
 */
export function saveProgram(actor: Actor, input: SaveProgram): Promise<{ version: number }> {
  const { programId, version, settings: typed } = input
  const settings = { ...typed, mentorIds: [...new Set(typed.mentorIds)].sort() }
  if (settings.format === 'individual') settings.seats = 1
  return inTenant(actor, async (tx) => {
    const row = await lockManagedProgram(tx, actor, programId)
    const before = toProgramSettings(row, await listProgramMentors(tx, programId))
    if (stableJson(before) === stableJson(settings)) return { version: row.version }
    if (row.version !== version) throw new Refusal('conflict', { data: { version: row.version } })
    if (row.status === 'archived') throw unprocessable('form', 'program_archived')
    await requireMentors(tx, settings.mentorIds)
    const { coverFileId } = settings
    if (coverFileId && coverFileId !== row.coverFileId) {
      await requireFileOfType(actor, 'coverFileId', coverFileId, ({ kind }) => kind === 'image')
    }
    const { mentorIds, ...columns } = settings
    await tx
      .update(mentorProgram)
      .set({ ...columns, version: version + 1, updatedAt: new Date() })
      .where(eq(mentorProgram.id, programId))
    await setMentors(tx, actor, programId, mentorIds)
    await attachFiles(
      actor,
      { kind: 'mentoring', id: programId, title: settings.title },
      coverFileId ? [coverFileId] : [],
    )
    if (row.status === 'published') await requireReady(tx, programId)
    await recordAuditEntry(tx, actor, {
      action: 'program.changed',
      objectId: programId,
      objectName: settings.title,
      before: { label: before.title, seats: before.seats },
      after: { label: settings.title, seats: settings.seats },
    })
    return { version: version + 1 }
  })
}

/**
 * Publishes, hides, archives or restores a program. An action that has been done already does nothing. Sessions that are
 * booked stay. Refuses with forbidden, plan_inactive, not_found, conflict (not allowed in this status), not_ready with
 * the failed checks, unprocessable when a restored one exceeds the plan's limit.
 */
export function changeProgramStatus(
  actor: Actor,
  { programId, action }: ProgramId & { action: ProgramAction },
): Promise<{ status: ProgramStatus }> {
  return inTenant(actor, async (tx) => {
    if (action === 'restore') await lockProgramLimit(tx, actor)
    const row = await lockManagedProgram(tx, actor, programId)
    if (action === 'archive' || action === 'restore') requireMentoringAllowed(canCreateProgram(actor))
    if (row.status === TARGETS[action]) return { status: row.status }
    const status = nextProgramStatus(row.status, action)
    if (!status) throw new Refusal('conflict')
    if (action === 'restore') requireWithinLimit(actor, 'mentor_program_count', await countPrograms(tx))
    if (action === 'publish') await requireReady(tx, programId)
    await tx
      .update(mentorProgram)
      .set({ status, version: sql`${mentorProgram.version} + 1`, updatedAt: new Date() })
      .where(eq(mentorProgram.id, programId))
    await recordAuditEntry(tx, actor, {
      action: 'program.changed',
      objectId: programId,
      objectName: row.title,
      before: { enabled: row.status === 'published' },
      after: { enabled: status === 'published' },
    })
    return { status }
  })
}

const TARGETS: Record<ProgramAction, ProgramStatus> = {
  publish: 'published',
  unpublish: 'draft',
  archive: 'archived',
  restore: 'draft',
}

async function requireReady(tx: Tx, programId: string): Promise<void> {
  const [row] = await tx.select().from(mentorProgram).where(eq(mentorProgram.id, programId))
  const mentors = await listProgramMentors(tx, programId)
  if (!row) throw new Refusal('not_found')
  const gaps = listProgramGaps(toProgramSettings(row, mentors), mentors.filter(({ hasHours }) => hasHours).length)
  const required = gaps.filter(({ isRequired }) => isRequired).map(({ check }) => check)
  if (required.length > 0) throw new Refusal('not_ready', { data: { checks: required } })
}

/** Refuses with unprocessable unless all are active team members with a role of mentors. */
async function requireMentors(tx: Tx, memberIds: readonly string[]): Promise<void> {
  if (memberIds.length === 0) return
  const rows = await tx
    .select({ roles: membership.roles, accountType: membership.accountType })
    .from(membership)
    .where(
      and(
        sql`${membership.tenantId} = current_tenant()`,
        inArray(membership.id, [...memberIds]),
        isNull(membership.blockedAt),
      ),
    )
  const isSuitable = ({ roles, accountType }: (typeof rows)[number]) =>
    accountType === 'ACCOUNT_TYPE_PRODUCT_OWNER' || roles.some((role) => MENTOR_ROLES.some((name) => name === role))
  if (rows.length < memberIds.length || !rows.every(isSuitable)) throw unprocessable('mentorIds', 'mentors_unknown')
}

async function setMentors(tx: Tx, { tenantId }: Actor, programId: string, memberIds: readonly string[]): Promise<void> {
  await tx
    .delete(programMentor)
    .where(
      and(
        eq(programMentor.programId, programId),
        memberIds.length > 0 ? sql`${programMentor.memberId} <> all(${sql.param([...memberIds])}::uuid[])` : undefined,
      ),
    )
  if (memberIds.length === 0) return
  await tx
    .insert(programMentor)
    .values(memberIds.map((memberId) => ({ tenantId, programId, memberId })))
    .onConflictDoNothing()
}

const unprocessable = (field: string, message: string) =>
  new Refusal('unprocessable', { fields: { [field]: [message] } })
