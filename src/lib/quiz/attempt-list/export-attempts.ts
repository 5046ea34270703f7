import { formatCsvInstant } from '#lib/core/csv/csv.ts'
import { type TableFormat, type TableRow, writeTableFile } from '#lib/core/csv/table-file.ts'
import { readAllPages } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { listAttempts } from './attempt-list.ts'
import type { AttemptFilter } from './schema.ts'

const COLUMNS = [
  'student',
  'email',
  'number',
  'state',
  'started',
  'submitted',
  'score',
  'max',
  'percent',
  'result',
] as const
const PAGE_SIZE = 200

/**
 * The attempts that a filter selects, in the order of the list, as a file that is written page by page. Refuses with
 * forbidden, not_found.
 */
export async function exportAttempts(
  actor: Actor,
  filter: AttemptFilter,
  format: TableFormat,
  t: Translate,
): Promise<ReadableStream<Uint8Array>> {
  // Refused before the file is started.
  await listAttempts(actor, { ...filter, cursor: undefined, limit: 1 })
  const heading = COLUMNS.map((column) => t(`analysis:export.${column}`))
  return writeTableFile(format, heading, readAttemptRows(actor, filter, t))
}

async function* readAttemptRows(actor: Actor, filter: AttemptFilter, t: Translate): AsyncGenerator<TableRow[]> {
  const zone = actor.tenantTimeZone
  const pages = readAllPages((cursor) => listAttempts(actor, { ...filter, cursor, limit: PAGE_SIZE }))
  for await (const items of pages) {
    yield items.map((attempt) => [
      attempt.student,
      attempt.email,
      attempt.number,
      t(`review:state.${attempt.state}`),
      formatCsvInstant(attempt.startedAt, zone),
      formatCsvInstant(attempt.submittedAt, zone),
      attempt.score,
      attempt.maxScore,
      attempt.score === null || attempt.maxScore === 0 ? null : Math.round((attempt.score / attempt.maxScore) * 100),
      attempt.passed === null ? '' : t(attempt.passed ? 'review:passed' : 'review:failed'),
    ])
  }
}
