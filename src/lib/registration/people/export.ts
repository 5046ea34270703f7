import { csvInstant, writeCsv } from '#lib/core/csv/csv.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { loadEvent } from '../event.ts'
import { WorkshopOf } from '../schema.ts'
import { ATTENDANCE_COLUMNS, FACT_COLUMNS, type FactColumn, questionColumns, SEPARATOR } from './csv-columns.ts'
import type { RegistrationLine } from './people.ts'
import { listRegistrations } from './people.ts'

/**
 * All registrations of an event as a CSV file that Excel opens by itself and `importRegistrations` reads back: the
 * facts, the attendance, the answers. Instants carry the offset of the actor's zone. Refuses with forbidden, not_found.
 */
export async function exportRegistrations(actor: Actor, input: { workshopId: string }): Promise<string> {
  const parsed = WorkshopOf.safeParse(input)
  if (!parsed.success) throw new Refusal('not_found')
  const { workshopId } = parsed.data
  const lines: RegistrationLine[] = []
  let cursor: string | undefined
  do {
    const page = await listRegistrations(actor, { workshopId, limit: 200, cursor })
    lines.push(...page.items)
    cursor = page.next ?? undefined
  } while (cursor)
  const { settings } = await inTenant(actor, (tx) => loadEvent(tx, workshopId))
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
        csvInstant(line.showingAt, zone),
        csvInstant(line.firstJoinedAt, zone),
        Math.round(line.watchedSeconds / 60),
        ...questions.map(({ id }) => [line.answers[id] ?? ''].flat().join(SEPARATOR)),
      ]
    }),
  )
}

function factsOf(line: RegistrationLine, zone: string): Record<FactColumn, string> {
  return {
    email: line.email,
    name: line.name,
    phone: line.phone ?? '',
    state: line.state,
    registered: csvInstant(line.createdAt, zone),
    locale: line.locale,
    timeZone: line.timeZone,
    marketing: line.marketing ? 'yes' : '',
    source: Object.entries(line.source)
      .map(([name, value]) => `${name}=${value}`)
      .join(SEPARATOR),
  }
}
