import { asc, eq } from 'drizzle-orm'
import { csvInstant, writeCsv } from '#lib/core/csv/csv.ts'
import { inTenant } from '#lib/core/db/db.ts'
import type { Translate as Speak } from '#lib/core/shared/text/strings.ts'
import { readMessages, searchMessages } from './read.ts'
import { FindMessages, ListMessages, MESSAGE_PAGE_SIZE, type MessageView, Seat, UPVOTE } from './schema.ts'
import { requireChatAct, toChatReader } from './send-message.ts'
import { meetingMessage } from './table.ts'

export interface MessagePage {
  /** The newest first, or by votes. */
  messages: MessageView[]
  /** Give it as `before` for the page after this one; null at the end. */
  next: number | null
}

/** A page of the chat as this person sees it. Refuses with unauthorized, forbidden (banned). */
export async function listMessages(input: ListMessages): Promise<MessagePage> {
  const { ticket, ...filter } = ListMessages.parse(input)
  const sitting = await requireChatAct(ticket, 'read')
  const messages = await inTenant(sitting, (tx) => readMessages(tx, toChatReader(sitting), filter))
  return { messages, next: filter.sort === 'top' || filter.fromMs !== undefined ? null : nextCursor(messages) }
}

/** A page of messages that hold the words. Refuses likewise. */
export async function findMessages(input: FindMessages): Promise<MessagePage> {
  const { ticket, search, before } = FindMessages.parse(input)
  const sitting = await requireChatAct(ticket, 'read')
  const messages = await inTenant(sitting, (tx) => searchMessages(tx, toChatReader(sitting), search, before))
  return { messages, next: nextCursor(messages) }
}

const CSV_COLUMNS = [
  'time',
  'offset',
  'kind',
  'name',
  'role',
  'text',
  'state',
  'votes',
  'answer',
  'answeredBy',
] as const

/** The whole chat as a table for spreadsheets, for the staff; deleted messages are marked. Refuses likewise. */
export async function exportChat(input: { ticket: string }, t: Speak): Promise<{ csv: string }> {
  const { ticket } = Seat.parse(input)
  const sitting = await requireChatAct(ticket, 'export')
  const rows = await inTenant(sitting, (tx) =>
    tx
      .select()
      .from(meetingMessage)
      .where(eq(meetingMessage.sessionId, sitting.sessionId))
      .orderBy(asc(meetingMessage.seq)),
  )
  const zone = sitting.profile.timeZone
  const data = rows.map((row) => [
    csvInstant(row.at, zone),
    formatOffset(row.offsetMs),
    t(`meeting:csv.kind.${row.kind}`),
    row.name,
    t(`meeting:role.${row.role}`),
    row.text,
    t(`meeting:csv.state.${row.state}`),
    row.reactions[UPVOTE] ?? 0,
    row.answer ? row.answer.text || t('meeting:question.aloud') : '',
    row.answer?.name ?? '',
  ])
  const fields = CSV_COLUMNS.map((name) => t(`meeting:csv.column.${name}`))
  return { csv: writeCsv(fields, data) }
}

const nextCursor = (messages: MessageView[]): number | null =>
  messages.length < MESSAGE_PAGE_SIZE ? null : (messages.at(-1)?.seq ?? null)

/** Hours, minutes and seconds since the start, `-0:00:30` before it. */
function formatOffset(offsetMs: number): string {
  const seconds = Math.floor(Math.abs(offsetMs) / 1000)
  const twoDigits = (value: number) => String(value).padStart(2, '0')
  const clock = `${Math.floor(seconds / 3600)}:${twoDigits(Math.floor(seconds / 60) % 60)}:${twoDigits(seconds % 60)}`
  return offsetMs < 0 ? `-${clock}` : clock
}
