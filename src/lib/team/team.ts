import { type SQL, sql } from 'drizzle-orm'
import { limitOf } from '#lib/billing/plans.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { matchesSearch } from '#lib/core/db/search.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type AccountType, effectiveRoles, type Role } from '#lib/core/shared/role.ts'
import { requireTeamManager } from './permission.ts'
import { countTeam } from './seats.ts'

export type TeamMemberStatus = 'active' | 'invited' | 'blocked'

interface TitleView {
  id: string
  title: string
}

export interface TeamMemberView {
  id: string
  name: string
  email: string
  phone: string | null
  position: string
  roles: Role[]
  status: TeamMemberStatus
  revision: number
  courses: TitleView[]
  events: TitleView[]
  /** Submissions and attempts at tests that wait for this member. */
  openHomework: number
  /** Mentoring programs of which the member is a mentor or has coming sessions. */
  programs: number
  lastActiveAt: Date | null
  /** The current or next vacation. */
  vacation: { id: string; startAt: Date; endAt: Date; deputy: string } | null
  /** Expiry of the invitation's link, for invited members. */
  invitationExpiresAt: Date | null
}

export interface TeamView {
  members: TeamMemberView[]
  /** Seats of `manager_count`; `max` null is unlimited. */
  seats: { used: number; max: number | null }
  openTransfer: { recipient: string; expiresAt: Date } | null
}

const MAX_ROWS = 500

/** The team with its assignments, in two statements of one round trip. Refuses with forbidden. */
export async function getTeam(actor: Actor, { search = '' }: { search?: string } = {}): Promise<TeamView> {
  requireTeamManager(actor)
  return inTenant(actor, async (tx) => {
    const [{ rows }, used, transfers] = await Promise.all([
      tx.execute<MemberRecord>(selectMembers(search)),
      countTeam(tx, actor.tenantId),
      tx.execute<{ recipient: string; expiresAt: string }>(sql`
        select ${personNameIn('u')} as recipient, o.expires_at as "expiresAt"
          from ownership_transfer o
          join membership m on m.tenant_id = o.tenant_id and m.id = o.recipient_id join "user" u on u.id = m.user_id
         where o.tenant_id = current_tenant() and o.completed_at is null and o.canceled_at is null
           and o.expires_at > now()`),
    ])
    const [transfer] = transfers.rows
    return {
      members: rows.map(toMemberView),
      seats: { used, max: limitOf(actor, 'manager_count', new Date()) },
      openTransfer: transfer ? { recipient: transfer.recipient, expiresAt: new Date(transfer.expiresAt) } : null,
    }
  })
}

type MemberRecord = Omit<TeamMemberView, 'roles' | 'status' | 'lastActiveAt' | 'vacation' | 'invitationExpiresAt'> & {
  roles: Role[]
  accountType: AccountType
  status: string
  blockedAt: string | null
  lastActiveAt: string | null
  vacation: { id: string; startAt: string; endAt: string; deputy: string } | null
  invitationExpiresAt: string | null
} & Record<string, unknown>

// The tables of courses, events and homework belong to modules above this one and are read here only.
function selectMembers(search: string): SQL {
  const matches = matchesSearch(search, sql`u.first_name`, sql`u.last_name`, sql`u.email`, sql`m.position`)
  return sql`
    select m.id, ${personNameIn('u')} as name, u.email, u.phone, m.position, m.roles, m.account_type as "accountType",
           m.status, m.blocked_at as "blockedAt", m.revision,
           coalesce(m.last_active_at, (select max(s.last_seen_at) from session s
             where s.user_id = m.user_id and s.tenant_id = m.tenant_id)) as "lastActiveAt",
           (select coalesce(json_agg(json_build_object('id', c.id, 'title', c.title) order by c.title), '[]')
              from course c where c.tenant_id = m.tenant_id and c.id in
                (select a.course_id from course_staff a where a.tenant_id = m.tenant_id and a.member_id = m.id)) as courses,
           (select coalesce(json_agg(json_build_object('id', w.id, 'title', w.title) order by w.title), '[]')
              from workshop w where w.tenant_id = m.tenant_id and w.id in
                (select a.workshop_id from workshop_staff a where a.tenant_id = m.tenant_id and a.member_id = m.id)) as events,
           (select count(*)::int from submission s where s.tenant_id = m.tenant_id and s.assigned_to = m.id
               and s.state in ('submitted', 'in_review'))
             + (select count(*)::int from quiz_review r where r.tenant_id = m.tenant_id and r.assigned_to = m.id
               and r.state = 'waiting') as "openHomework",
           (select count(*)::int from (
              select p.program_id from program_mentor p where p.tenant_id = m.tenant_id and p.member_id = m.id
              union select s.program_id from mentor_session s where s.tenant_id = m.tenant_id and s.mentor_id = m.id
                and s.released_at is null and s.end_at > now()) p) as programs,
           (select json_build_object('id', v.id, 'startAt', v.start_at, 'endAt', v.end_at, 'deputy', ${personNameIn('d')})
              from vacation v join membership dm on dm.tenant_id = v.tenant_id and dm.id = v.deputy_id
              join "user" d on d.id = dm.user_id
             where v.tenant_id = m.tenant_id and v.member_id = m.id and v.canceled_at is null and v.end_at > now()
             order by v.start_at limit 1) as vacation,
           (select i.expires_at from team_invitation i where i.tenant_id = m.tenant_id and i.member_id = m.id
             order by i.created_at desc limit 1) as "invitationExpiresAt"
      from membership m join "user" u on u.id = m.user_id
     where m.tenant_id = current_tenant() and m.account_type <> 'ACCOUNT_TYPE_STUDENT' and m.removed_at is null
       ${matches ? sql`and ${matches}` : sql``}
     order by m.account_type <> 'ACCOUNT_TYPE_PRODUCT_OWNER', m.blocked_at is not null, m.status = 'invited',
              u.last_name collate natural_order, u.first_name collate natural_order, m.id
     limit ${MAX_ROWS}`
}

function toMemberView({ accountType, roles, status, blockedAt, vacation, ...row }: MemberRecord): TeamMemberView {
  const isInvited = status === 'invited'
  return {
    ...row,
    roles: effectiveRoles(accountType, roles),
    status: blockedAt ? 'blocked' : isInvited ? 'invited' : 'active',
    lastActiveAt: row.lastActiveAt ? new Date(row.lastActiveAt) : null,
    vacation: vacation && { ...vacation, startAt: new Date(vacation.startAt), endAt: new Date(vacation.endAt) },
    invitationExpiresAt: isInvited && row.invitationExpiresAt ? new Date(row.invitationExpiresAt) : null,
  }
}
