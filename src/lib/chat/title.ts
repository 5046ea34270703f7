import { type SQL, sql } from 'drizzle-orm'
import { personNameIn } from '#lib/core/db/person-name.ts'
import type { ChatActor } from './access.ts'
import type { ConversationView } from './output-schema.ts'
import type { ConversationKind } from './schema.ts'

/** What a conversation is named after. */
export interface TitleRow {
  kind: ConversationKind
  title: string
  courseTitle: string | null
  groupName: string | null
  lessonTitle: string | null
  /** The other participant of a direct conversation, the student of a question or of a support request. */
  personName: string | null
}

/** The columns of `TitleRow`, without the kind, for the conversation `c`; needs `titleJoins`. */
export const titleColumns: SQL = sql`c.title, course.title as "courseTitle", g.name as "groupName",
  l.title as "lessonTitle", person.name as "personName"`

/** The joins that `titleColumns` needs; `person` also has the read position. */
export const titleJoins = (actor: ChatActor): SQL => titleJoinsFor(actor.membershipId)

/** The same for a reader who does not take part, when it is null. */
export const titleJoinsFor = (readerId: string | null): SQL => sql`
  left join course on course.tenant_id = c.tenant_id and course.id = c.course_id
  left join study_group g on g.tenant_id = c.tenant_id and g.id = c.group_id
  left join lesson l on l.tenant_id = c.tenant_id and l.id = c.lesson_id
  left join lateral (select ${personNameIn('u')} as name, p.member_id, p.read_seq from chat_member p
    join membership m on m.tenant_id = p.tenant_id and m.id = p.member_id join "user" u on u.id = m.user_id
    where c.kind in ('direct', 'lesson', 'support') and p.tenant_id = c.tenant_id and p.conversation_id = c.id
      and p.is_participant and p.member_id is distinct from ${readerId}::uuid
    order by m.account_type = 'ACCOUNT_TYPE_STUDENT' desc limit 1) person on true`

/** The title and where it belongs; the title is null for a student's own support conversation. */
export function titleOfConversation(row: TitleRow): Pick<ConversationView, 'title' | 'context'> {
  switch (row.kind) {
    case 'direct':
    case 'support':
      return { title: row.personName, context: null }
    case 'course':
      return { title: row.courseTitle, context: null }
    case 'group':
      return { title: row.groupName, context: row.courseTitle }
    case 'lesson':
      return { title: row.personName ?? row.lessonTitle, context: row.personName ? row.lessonTitle : row.courseTitle }
    case 'team':
      return { title: row.title, context: null }
  }
}
