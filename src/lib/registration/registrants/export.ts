import { formatCsvInstant, writeCsv } from '#lib/core/csv/csv.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { readAllPages } from '#lib/core/http/cursor.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { requireEvent } from '../event.ts'
import { ATTENDANCE_COLUMNS, FACT_COLUMNS, type FactColumn, questionColumns, VALUE_SEPARATOR } from './csv-columns.ts'
import type { RegistrationListItem } from './registrants.ts'
import { listRegistrations } from './registrants.ts'

/**
 * All registrations of an event as a CSV file that Excel opens by itself and `importRegistrations` reads back: the
 * facts, the attendance, the answers. Instants carry the offset of the actor's zone. Refuses with forbidden, not_found.
 */
export async function exportRegistrations(actor: Actor, input: { workshopId: string }): Promise<string> {
  const { workshopId } = input
  const lines: RegistrationListItem[] = []
  const pages = readAllPages((cursor) =>
    listRegistrations(actor, { workshopId, state: 'all', search: '', limit: 200, cursor }),
  )
  for await (const items of pages) lines.push(...items)
  const { settings } = await inTenant(actor, (tx) => requireEvent(tx, workshopId))
  const questions = questionColumns(
    settings.form.questions,
    lines.flatMap(({ answers }) => Object.keys(answers)),
  )
  const zone = actor.timeZone
  return writeCsv(
    [...FACT_COLUMNS, ...ATTENDANCE_COLUMNS, ...questions.map(({ heading }) => heading)],
    lines.map((line) => {
      const facts = factsOf(line, zone)
      return [
        ...FACT_COLUMNS.map((column) => facts[column]),
        formatCsvInstant(line.sessionStartAt, zone),
        formatCsvInstant(line.firstJoinedAt, zone),
        Math.round(line.watchedSeconds / 60),
        ...questions.map(({ id }) => [line.answers[id] ?? ''].flat().join(VALUE_SEPARATOR)),
      ]
    }),
  )
}

function factsOf(line: RegistrationListItem, zone: string): Record<FactColumn, string> {
  return {
    email: line.email,
    name: line.name,
    phone: line.phone ?? '',
    state: line.state,
    registered: formatCsvInstant(line.createdAt, zone),
    locale: line.locale,
    timeZone: line.timeZone,
    marketing: line.marketing ? 'yes' : '',
    source: Object.entries(line.source)
      .map(([name, value]) => `${name}=${value}`)
      .join(VALUE_SEPARATOR),
  }
}
