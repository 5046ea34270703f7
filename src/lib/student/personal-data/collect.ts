import { type SQL, sql } from 'drizzle-orm'
import { inSystem, inTenant, type Tx } from '#lib/core/db/db.ts'
import { getTranslator } from '#lib/core/i18n/i18n.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { AccountType } from '#lib/core/shared/role.ts'
import { listPersonalDataSources, type PersonalDataSource } from './sources.ts'

const PAGE_ROWS = 500

export interface Membership extends Record<string, unknown> {
  tenantId: string
  memberId: string
  accountType: AccountType
  isRemoved: boolean
}

/** The memberships of a person in all schools. */
export function listMemberships(userId: string): Promise<Membership[]> {
  return inSystem(async (tx) => {
    await tx.execute(sql`select set_config('app.user_id', ${userId}, true)`)
    const { rows } = await tx.execute<Membership>(sql`select tenant_id as "tenantId", id as "memberId",
        account_type as "accountType", removed_at is not null as "isRemoved"
      from membership where user_id = ${userId} order by tenant_id, id`)
    await tx.execute(sql`select set_config('app.user_id', '', true)`)
    return rows
  })
}

interface CollectedFile {
  name: string
  lastModified: Date
  input: AsyncIterable<string>
}

/**
 * The files of an export: one JSON file for each table that has rows about the person, of the account and of each school
 * where the person is a member, read page by page; and a text that explains them.
 */
export async function* collectFiles(
  person: { userId: string; email: string; locale: Locale },
  now: Date,
): AsyncGenerator<CollectedFile> {
  const t = getTranslator(person.locale)
  yield file('README.txt', [`${t('student:myData.readme', { email: person.email })}\n`], now)
  const tenants = Map.groupBy(await listMemberships(person.userId), ({ tenantId }) => tenantId)
  const { account } = await listPersonalDataSources({ ...person, memberIds: [] })
  for (const source of account) yield* sourceFile('account', source, null, now)
  for (const [tenantId, memberships] of tenants) {
    const subdomain = await findSubdomain(tenantId)
    const { school } = await listPersonalDataSources({
      ...person,
      memberIds: memberships.map(({ memberId }) => memberId),
    })
    for (const source of school) yield* sourceFile(`schools/${subdomain}`, source, tenantId, now)
  }
}

function file(name: string, parts: Iterable<string>, lastModified: Date): CollectedFile {
  return {
    name,
    lastModified,
    input: (async function* () {
      yield* parts
    })(),
  }
}

// A table without rows about the person is omitted.
async function* sourceFile(
  folder: string,
  source: PersonalDataSource,
  tenantId: string | null,
  lastModified: Date,
): AsyncGenerator<CollectedFile> {
  const pages = readPages(source, tenantId)
  const first = await pages.next()
  if (first.done) return
  yield { name: `${folder}/${source.table}.json`, lastModified, input: writeJson(first.value, pages) }
}

async function* writeJson(first: unknown[], rest: AsyncGenerator<unknown[]>): AsyncGenerator<string> {
  const linesOf = (rows: unknown[]) => rows.map((row) => JSON.stringify(row, null, 2)).join(',\n')
  yield `[\n${linesOf(first)}`
  for await (const rows of rest) yield `,\n${linesOf(rows)}`
  yield '\n]\n'
}

async function* readPages({ table, condition, omitted }: PersonalDataSource, tenantId: string | null) {
  const read = <T>(run: (tx: Tx) => Promise<T>) => (tenantId ? inTenant({ tenantId }, run) : inSystem(run))
  let after: string | null = null
  do {
    const older: SQL = after ? sql`and ctid > ${after}::tid` : sql``
    const { rows } = await read((tx) =>
      tx.execute<{ row: unknown; place: string }>(sql`
        select to_jsonb(r) - ${sql.param(`{${omitted.join(',')}}`)}::text[] as row, ctid::text as place
        from ${sql.identifier(table)} r where (${condition}) ${older} order by ctid limit ${PAGE_ROWS}`),
    )
    if (rows.length > 0) yield rows.map(({ row }) => row)
    after = rows.length === PAGE_ROWS ? (rows.at(-1)?.place ?? null) : null
  } while (after)
}

async function findSubdomain(tenantId: string): Promise<string> {
  const { rows } = await inSystem((tx) =>
    tx.execute<{ subdomain: string }>(sql`select subdomain from tenant where id = ${tenantId}`),
  )
  return rows[0]?.subdomain ?? tenantId
}
