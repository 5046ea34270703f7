import { eq } from 'drizzle-orm'
import { formatCsvInstant, formatCsvRows, writeCsv } from '#lib/core/csv/csv.ts'
import { inTenant, type Tx } from '#lib/core/db/db.ts'
import { readAllPages } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { fullName } from '#lib/core/shared/text/person-name.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { membership, user } from '#lib/user/table.ts'
import { recordAuditEntry } from './audit.ts'
import { describeChange, describeObject } from './describe.ts'
import { type AuditEntryView, listAuditEntries, requireAuditReader } from './log.ts'
import type { AuditFilter } from './schema.ts'
import type { AuditValues } from './values-schema.ts'

const COLUMNS = ['at', 'actor', 'action', 'object', 'before', 'after', 'address'] as const
const PAGE_SIZE = 100

/**
 * The filtered audit log as a CSV file, written page by page, newest entry first. The export itself is audited. Refuses
 * with forbidden.
 */
export async function exportAuditLog(
  actor: Actor,
  filter: AuditFilter,
  { t, locale }: { t: Translate; locale: Locale },
): Promise<ReadableStream<Uint8Array>> {
  requireAuditReader(actor)
  await inTenant(actor, async (tx) =>
    recordAuditEntry(tx, actor, {
      action: 'audit.exported',
      objectId: actor.tenantId,
      objectName: actor.tenantName,
      after: await filterAuditValues(tx, filter),
    }),
  )
  const lines = exportLines(actor, filter, { t, locale })
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await lines.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
  })
}

async function* exportLines(
  actor: Actor,
  filter: AuditFilter,
  { t, locale }: { t: Translate; locale: Locale },
): AsyncGenerator<string> {
  yield writeCsv(
    COLUMNS.map((column) => t(`audit:column.${column}`)),
    [],
  )
  const pages = readAllPages((cursor) => listAuditEntries(actor, { ...filter, cursor, limit: PAGE_SIZE }))
  for await (const items of pages) {
    yield formatCsvRows(items.map((entry) => toCells(entry, actor.tenantTimeZone, locale, t)))
  }
}

function toCells(entry: AuditEntryView, timeZone: string, locale: Locale, t: Translate): string[] {
  const { before, after } = describeChange(entry, { t, locale, timeZone })
  return [
    formatCsvInstant(entry.at, timeZone),
    entry.actor?.name ?? '',
    t(`audit:action.${entry.action}`),
    describeObject(entry, t),
    before.join('; '),
    after.join('; '),
    entry.address ?? '',
  ]
}

/** The filter for the log itself: the name of the person in place of the id, and only what was set. */
async function filterAuditValues(tx: Tx, filter: AuditFilter): Promise<AuditValues> {
  const { action, actorId, from, to, search } = filter
  const [person] = actorId
    ? await tx
        .select(PERSON)
        .from(membership)
        .innerJoin(user, eq(user.id, membership.userId))
        .where(eq(membership.id, actorId))
    : []
  const values = { action, actor: person && (fullName(person) || person.email), from, to, search }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value))
}

const PERSON = { firstName: user.firstName, lastName: user.lastName, email: user.email }
