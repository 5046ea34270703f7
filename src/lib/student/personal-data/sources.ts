import { type SQL, sql } from 'drizzle-orm'
import { inSystem } from '#lib/core/db/db.ts'

/** The person whose data is collected in a school. */
interface Subject {
  userId: string
  email: string
  memberIds: readonly string[]
}

/** A table with rows about a person, and the condition that selects them. */
export interface PersonalDataSource {
  table: string
  condition: SQL
  /** Columns that are omitted: secrets, and data in another form. */
  omitted: readonly string[]
}

/** The object that a column of a tenant table refers to, by its name or by its table and name. */
const REFERENCES: Record<string, 'member' | 'participant' | 'email' | 'submission' | 'registration'> = {
  student_id: 'member',
  member_id: 'member',
  owner_id: 'member',
  recipient_id: 'member',
  'student.id': 'member',
  'membership.id': 'member',
  'audit_entry.object_id': 'member',
  participant_id: 'participant',
  person_id: 'participant',
  'workshop_participant.id': 'participant',
  'meeting_message.author_id': 'participant',
  'workshop_event.actor_id': 'participant',
  'chat_message.author_id': 'member',
  'chat_file.uploader_id': 'member',
  'chat_scheduled_message.author_id': 'member',
  email: 'email',
  'mail.to': 'email',
  submission_id: 'submission',
  registration_id: 'registration',
}

/**
 * Columns that name the author of an action on an object: the rows are about the object. They are not exported, because
 * they contain data of other people.
 */
export const AUTHOR_COLUMNS: ReadonlySet<string> = new Set([
  'by',
  'actor_id',
  'author_id',
  'invited_by',
  'issued_by',
  'requested_by',
  'created_by',
  'updated_by',
  'edited_by',
  'forwarded_author_id',
  'reviewed_by',
  'accepted_by',
  'graded_by',
  'assigned_to',
  'locked_by',
  'deputy_id',
  'mentor_id',
  'reporter_id',
  'resolved_by',
  'banned_by',
])

const ACCOUNT_TABLES = ['session', 'sign_up', 'data_export', 'deletion_request'] as const
const OMITTED = [
  'html',
  'password_hash',
  'totp_secret',
  'totp_last_step',
  'once_key',
  'attachments',
  'search',
  'search_ascii',
  // They tell the key of a running test: the secret of its ids, and the order of the stored ids.
  'quiz_attempt.part_key',
  'quiz_attempt.seed',
  'quiz_attempt.questions',
]

/** The object that a column refers to, or undefined when its rows are not about a person. */
export const referencedObjectOf = (table: string, column: string) =>
  REFERENCES[`${table}.${column}`] ?? REFERENCES[column]

interface ColumnRow extends Record<string, unknown> {
  table: string
  column: string
  type: string
  is_tenanted: boolean
}

/** The tables of the account, and those of a school, that can have rows about a person: read from the catalog. */
export async function listPersonalDataSources(
  subject: Subject,
): Promise<{ account: PersonalDataSource[]; school: PersonalDataSource[] }> {
  const { rows } = await inSystem((tx) =>
    tx.execute<ColumnRow>(sql`
      select c.relname as "table", a.attname as "column", t.typname as type,
        exists (select 1 from pg_attribute k where k.attrelid = c.oid and k.attname = 'tenant_id') as is_tenanted
      from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
      order by c.relname, a.attnum`),
  )
  const school: PersonalDataSource[] = []
  for (const [table, columns] of Map.groupBy(rows, ({ table }) => table)) {
    if (!columns[0]?.is_tenanted) continue
    const conditions = columns.flatMap(({ column }) => {
      const reference = referencedObjectOf(table, column)
      return reference ? [sql`${sql.identifier(column)} ${rowsMatching(reference, subject)}`] : []
    })
    if (conditions.length === 0) continue
    const condition = sql`tenant_id = current_tenant() and (${sql.join(conditions, sql` or `)})`
    school.push({ table, condition, omitted: omittedOf(columns) })
  }
  const omittedIn = (table: string) => omittedOf(rows.filter((row) => row.table === table))
  const account = [
    { table: 'user', condition: sql`id = ${subject.userId}`, omitted: omittedIn('user') },
    ...ACCOUNT_TABLES.map((table) => ({
      table,
      condition: sql`user_id = ${subject.userId}`,
      omitted: omittedIn(table),
    })),
  ]
  return { account, school }
}

// Digests of secrets are binary.
const omittedOf = (columns: readonly ColumnRow[]): string[] =>
  columns.flatMap(({ table, column, type }) =>
    type === 'bytea' || OMITTED.includes(column) || OMITTED.includes(`${table}.${column}`) ? [column] : [],
  )

function rowsMatching(
  reference: 'member' | 'participant' | 'email' | 'submission' | 'registration',
  { email, memberIds }: Subject,
): SQL {
  const members = sql`any(${sql.param(`{${memberIds.join(',')}}`)}::uuid[])`
  switch (reference) {
    case 'member':
      return sql`= ${members}`
    case 'email':
      return sql`= ${email}`
    case 'participant':
      return sql`in (select id from workshop_participant where tenant_id = current_tenant()
        and (member_id = ${members} or email = ${email}))`
    case 'submission':
      return sql`in (select id from submission where tenant_id = current_tenant() and student_id = ${members})`
    case 'registration':
      return sql`in (select id from registration where tenant_id = current_tenant()
        and (member_id = ${members} or email = ${email}))`
  }
}
