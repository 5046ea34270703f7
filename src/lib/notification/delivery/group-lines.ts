import type { Translate } from '#lib/core/shared/text/strings.ts'
import { timesOfNotification, titleOfNotification } from '../compose.ts'
import type { DueDelivery, Receiver } from './delivery-result.ts'

/** One line of a message about several notifications. */
export interface Line {
  title: string
  link: string
  context: string | null
  /** See timesOfNotification. */
  times: string[]
}

/** The lines of a message: rows of a group are one line, the latest with the number of all causes; the latest last. */
export function groupLines(t: Translate, rows: readonly DueDelivery[], receiver: Receiver): Line[] {
  const groups = new Map<string, DueDelivery>()
  for (const row of rows) {
    const key = row.groupKey ? `${row.kind} ${row.groupKey}` : row.id
    // Inserted again, so that the order is that of the latest row.
    groups.delete(key)
    groups.set(key, row)
  }
  return [...groups.values()].map((row) => ({
    title: titleOfNotification(t, row),
    link: row.link,
    context: row.data.context ?? null,
    times: timesOfNotification(t, row.data, receiver),
  }))
}
