import Papa from 'papaparse'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import type { RegistrationLine } from './people.ts'
import { listRegistrations } from './people.ts'
import { WorkshopOf } from './schema.ts'

/**
 * All registrations of an event as a CSV that Excel opens by itself. Cells that a spreadsheet would take for a formula
 * begin with an apostrophe. Refuses with forbidden, not_found.
 */
export async function exportRegistrations(actor: Actor, input: { workshopId: string }): Promise<string> {
  const asked = WorkshopOf.safeParse(input)
  if (!asked.success) throw new Refusal('not_found')
  const { workshopId } = asked.data
  const lines: RegistrationLine[] = []
  let cursor: string | undefined
  do {
    const page = await listRegistrations(actor, { workshopId, limit: 200, cursor })
    lines.push(...page.items)
    cursor = page.next ?? undefined
  } while (cursor)
  const questions = [...new Set(lines.flatMap(({ answers }) => Object.keys(answers)))]
  const rows = lines.map((line) => ({
    ...{ email: line.email, name: line.name, phone: line.phone ?? '', state: line.state },
    ...{ registered: line.createdAt.toISOString(), showing: line.showingAt?.toISOString() ?? '' },
    ...{ joined: line.firstJoinedAt?.toISOString() ?? '', minutes: Math.round(line.watchedSeconds / 60) },
    ...{ locale: line.locale, timeZone: line.timeZone, marketing: line.marketing ? 'yes' : '' },
    source: Object.entries(line.source)
      .map(([name, value]) => `${name}=${value}`)
      .join('; '),
    ...Object.fromEntries(questions.map((id) => [id, [line.answers[id] ?? ''].flat().join('; ')])),
  }))
  return `\ufeff${Papa.unparse(rows, { escapeFormulae: true, newline: '\r\n' })}\r\n`
}
