import { asc, eq } from 'drizzle-orm'
import { formatCsvInstant, writeCsv } from '#lib/core/csv/csv.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { formatLongClock } from '#lib/core/shared/text/clock.ts'
import type { Translate as Speak } from '#lib/core/shared/text/strings.ts'
import { nextMessageCursor, readChatMessages, searchMessages } from './read.ts'
import { type ChatMessageView, type FindMessages, type ListChatMessages, UPVOTE } from './schema.ts'
import { requireChatAction, toChatReader } from './send-message.ts'
import { meetingMessage } from './table.ts'

export interface ChatMessagePage {
  /** The newest first, or by votes. */
  messages: ChatMessageView[]
  /** Pass as `cursor` for the next page; null at the end. */
  next: string | null
}

/** A page of the chat as the participant sees it. Refuses with unauthorized, forbidden (banned), invalid (cursor). */
export async function listChatMessages(input: ListChatMessages): Promise<ChatMessagePage> {
  const { seatToken, ...filter } = input
  const participant = await requireChatAction(seatToken, 'read')
  const messages = await inTenant(participant, (tx) => readChatMessages(tx, toChatReader(participant), filter))
  return { messages, next: filter.sort === 'top' || filter.fromMs !== undefined ? null : nextMessageCursor(messages) }
}

/** A page of messages that match the search. Refuses like listMessages. */
export async function findMessages(input: FindMessages): Promise<ChatMessagePage> {
  const { seatToken, search, cursor } = input
  const participant = await requireChatAction(seatToken, 'read')
  const messages = await inTenant(participant, (tx) => searchMessages(tx, toChatReader(participant), search, cursor))
  return { messages, next: nextMessageCursor(messages) }
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

/** The whole chat as CSV, for staff; deleted messages are marked. Refuses like listMessages. */
export async function exportChat(input: { seatToken: string }, t: Speak): Promise<{ csv: string }> {
  const { seatToken } = input
  const participant = await requireChatAction(seatToken, 'export')
  const rows = await inTenant(participant, (tx) =>
    tx
      .select()
      .from(meetingMessage)
      .where(eq(meetingMessage.sessionId, participant.sessionId))
      .orderBy(asc(meetingMessage.seq)),
  )
  const zone = participant.profile.timeZone
  const data = rows.map((row) => [
    formatCsvInstant(row.at, zone),
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

/** Hours, minutes and seconds since the start, `-0:00:30` before it. */
function formatOffset(offsetMs: number): string {
  const seconds = Math.floor(Math.abs(offsetMs) / 1000)
  return `${offsetMs < 0 ? '-' : ''}${formatLongClock(seconds)}`
}
