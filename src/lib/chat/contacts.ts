import { type SQL, sql } from 'drizzle-orm'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { personNameIn } from '#lib/core/db/person-name.ts'
import { matchesIndexedText } from '#lib/core/db/search.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { type AccountType, effectiveRoles, hasRole, type Role } from '#lib/core/shared/role.ts'
import { hasChatRole, isManager, openGrants } from './access.ts'
import { requireChat } from './chat.ts'
import type { Contact, ContactList, Subject } from './output-schema.ts'
import { contactPolicy, relationColumns } from './relation.ts'
import { canWriteTo, type Relation } from './rules.ts'
import type { ContactPolicy, ListContacts } from './schema.ts'

const MAX_PEOPLE = 50
const MAX_SUBJECTS = 100

/**
 * Members whom the actor may write to, by name, and courses and groups about which it may begin a conversation. At most
 * 50 people; `search` finds others. Refuses with forbidden.
 */
export async function listContacts(actor: Actor, { search }: ListContacts): Promise<ContactList> {
  requireChat(actor)
  return inTenant(actor, async (tx) => {
    const [people, subjects] = await Promise.all([listPeople(tx, actor, search), listSubjects(tx, actor)])
    return { people, ...subjects }
  })
}

interface PersonRow extends Record<string, unknown>, Omit<Relation, 'isSelf'> {
  memberId: string
  name: string
  position: string
  accountType: AccountType
  roles: Role[]
  policy: ContactPolicy
}

async function listPeople(tx: Tx, actor: Actor, search: string): Promise<Contact[]> {
  const words = matchesIndexedText(search, sql`u.search`, sql`u.search_ascii`)
  const { rows } = await tx.execute<PersonRow>(sql`
    select m.id as "memberId", ${personNameIn('u')} as name,
      m.position, m.account_type as "accountType", m.roles, ${relationColumns(actor, sql`m.id`)},
      ${contactPolicy} as policy
    from (select m.* from membership m where m.tenant_id = current_tenant() and m.blocked_at is null
        and m.id <> ${actor.membershipId} and ${isCandidate(actor)}) m
      join "user" u on u.id = m.user_id
    where ${words ?? sql`true`}
    order by m.account_type = 'ACCOUNT_TYPE_STUDENT', u.last_name, u.first_name, m.id limit ${MAX_PEOPLE}`)
  return rows.flatMap(({ memberId, name, position, accountType, roles, policy, ...relation }) => {
    const target = { roles: effectiveRoles(accountType, roles) }
    if (!canWriteTo(actor, target, { ...relation, isSelf: false }, policy).allow) return []
    return [{ memberId, name, position, isStudent: accountType === 'ACCOUNT_TYPE_STUDENT' }]
  })
}

/** SQL condition: `canWriteTo` may permit to write to the member `m`. Narrows the members that are read. */
function isCandidate(actor: Actor): SQL {
  const me = actor.membershipId
  const isTeam = sql`m.account_type <> 'ACCOUNT_TYPE_STUDENT'`
  if (isManager(actor)) return hasChatRole
  if (!hasRole(actor, ['STUDENT']))
    return sql`${hasChatRole} and (${isTeam} or ${contactPolicy} <> 'assigned' or m.id = any(array(
      select a.student_id from ${openGrants} a join course_staff s on s.tenant_id = current_tenant()
        and s.course_id = a.course_id and s.member_id = ${me})))`
  const ownCourses = sql`(select a.course_id from ${openGrants} a where a.student_id = ${me})`
  return sql`${hasChatRole} and (m.id = any(array(select s.member_id from course_staff s where s.tenant_id = current_tenant()
      and s.course_id in ${ownCourses}))
    or (${contactPolicy} <> 'assigned' and ${isTeam})
    or (${contactPolicy} = 'everyone' and m.id = any(array(select a.student_id from ${openGrants} a
      where a.course_id in ${ownCourses})))
    or m.id = any(array(select w.member_id from chat_member o join chat_conversation k on k.tenant_id = o.tenant_id
      and k.id = o.conversation_id and k.kind = 'direct' join chat_member w on w.tenant_id = o.tenant_id
      and w.conversation_id = o.conversation_id where o.tenant_id = current_tenant() and o.member_id = ${me})))`
}

/** Courses and groups without a conversation, for staff; empty for students. */
async function listSubjects(tx: Tx, actor: Actor): Promise<Pick<ContactList, 'courses' | 'groups'>> {
  if (hasRole(actor, ['STUDENT'])) return { courses: [], groups: [] }
  const isOwn = isManager(actor)
    ? sql`true`
    : sql`course.id = any(array(select s.course_id from course_staff s where s.tenant_id = current_tenant()
        and s.member_id = ${actor.membershipId}))`
  const [courses, groups] = await Promise.all([
    tx.execute<Subject & Record<string, unknown>>(sql`select course.id, course.title, null as context from course
      where course.tenant_id = current_tenant() and course.archived_at is null and ${isOwn} and not exists
        (select 1 from chat_conversation k where k.tenant_id = course.tenant_id and k.kind = 'course'
          and k.subject_key = course.id::text)
      order by course.title, course.id limit ${MAX_SUBJECTS}`),
    tx.execute<Subject & Record<string, unknown>>(sql`select g.id, g.name as title, course.title as context
      from study_group g join course on course.tenant_id = g.tenant_id and course.id = g.course_id
      where g.tenant_id = current_tenant() and g.archived_at is null and ${isOwn} and not exists
        (select 1 from chat_conversation k where k.tenant_id = g.tenant_id and k.kind = 'group'
          and k.subject_key = g.id::text)
      order by g.name, g.id limit ${MAX_SUBJECTS}`),
  ])
  return { courses: courses.rows, groups: groups.rows }
}
