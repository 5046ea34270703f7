import { asc, eq } from 'drizzle-orm'
import { csvInstant, writeCsv } from '#lib/core/csv/csv.ts'
import { inTenant } from '#lib/core/db/db.ts'
import type { Say as Speak } from '#lib/core/shared/text/strings.ts'
import { readMessages, searchMessages } from './read.ts'
import { mustChat, readerOf } from './say.ts'
import { FindMessages, ListMessages, type MessageView, PAGE, Seat, UP } from './schema.ts'
import { meetingMessage } from './table.ts'

export interface MessagePage {
  /** The newest first, or by votes. */
  messages: MessageView[]
  /** Give it as `before` for the page after this one; null at the end. */
  next: number | null
}

/** A page of the chat as this person sees it. Refuses with unauthorized, forbidden (banned). */
export async function listMessages(input: ListMessages): Promise<MessagePage> {
  const { ticket, ...asked } = ListMessages.parse(input)
  const sitting = await mustChat(ticket, 'read')
  const messages = await inTenant(sitting, (tx) => readMessages(tx, readerOf(sitting), asked))
  return { messages, next: asked.sort === 'top' || asked.fromMs !== undefined ? null : nextOf(messages) }
}

/** A page of messages that hold the words. Refuses likewise. */
export async function findMessages(input: FindMessages): Promise<MessagePage> {
  const { ticket, search, before } = FindMessages.parse(input)
  const sitting = await mustChat(ticket, 'read')
  const messages = await inTenant(sitting, (tx) => searchMessages(tx, readerOf(sitting), search, before))
  return { messages, next: nextOf(messages) }
}

const COLUMNS = ['time', 'offset', 'kind', 'name', 'role', 'text', 'state', 'votes', 'answer', 'answeredBy'] as const

/** The whole chat as a table for spreadsheets, for the staff; deleted messages are marked. Refuses likewise. */
export async function exportChat(input: { ticket: string }, t: Speak): Promise<{ csv: string }> {
  const { ticket } = Seat.parse(input)
  const sitting = await mustChat(ticket, 'export')
  const rows = await inTenant(sitting, (tx) =>
    tx
      .select()
      .from(meetingMessage)
      .where(eq(meetingMessage.sessionId, sitting.sessionId))
      .orderBy(asc(meetingMessage.seq)),
  )
  const zone = sitting.participant.timeZone
  const data = rows.map((row) => [
    csvInstant(row.at, zone),
    clockOf(row.offsetMs),
    t(`meeting:csv.kind.${row.kind}`),
    row.name,
    t(`meeting:role.${row.role}`),
    row.text,
    t(`meeting:csv.state.${row.state}`),
    row.reactions[UP] ?? 0,
    row.answer ? row.answer.text || t('meeting:question.aloud') : '',
    row.answer?.name ?? '',
  ])
  const fields = COLUMNS.map((name) => t(`meeting:csv.column.${name}`))
  return { csv: writeCsv(fields, data) }
}

const nextOf = (messages: MessageView[]): number | null =>
  messages.length < PAGE ? null : (messages.at(-1)?.seq ?? null)

/** Hours, minutes and seconds since the start, `-0:00:30` before it. */
function clockOf(offsetMs: number): string {
  const seconds = Math.floor(Math.abs(offsetMs) / 1000)
  const two = (value: number) => String(value).padStart(2, '0')
  const clock = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return offsetMs < 0 ? `-${clock}` : clock
}
