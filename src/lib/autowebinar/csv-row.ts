import { newId } from '#lib/core/db/id.ts'
import { SCRIPT_ENTRY_TYPES, type ScriptEntryType } from '#lib/core/shared/event/auto-event.ts'
import { EVENT_ROLES, PRESENTATION_MODES } from '#lib/core/shared/event/live-event.ts'
import { parseJsonObject } from '#lib/core/shared/text/json.ts'
import { formatScriptOffset, parseOffset } from './playback-rules.ts'
import { EntryContent, type ScriptEntry, TRACK_OF } from './schema.ts'

export const CSV_COLUMNS = ['offset', 'type', 'author', 'role', 'text', 'data'] as const

/** Why a row is invalid: keys `autowebinar:csv.error.<code>`. */
const ROW_ERRORS = ['offset', 'type', 'author', 'role', 'text', 'mode', 'page', 'unknown_item', 'data'] as const
export type RowError = (typeof ROW_ERRORS)[number]

export type ParsedEntry = Pick<ScriptEntry, 'offsetMs' | 'track'> & EntryContent

/** Ids of items by name, from earlier rows: a row may hide a button or close a poll by its name. */
export interface ItemNames {
  buttons: Map<string, string>
  polls: Map<string, string>
  handouts: Map<string, string>
  slidesFileId: string | null
}

/** Parses a CSV row to a script entry, or returns its error. Columns as CSV_COLUMNS; `data` may be missing. */
export function parseRow(cells: readonly string[], itemNames: ItemNames): ParsedEntry | RowError {
  const [offset = '', type = '', author = '', role = '', text = '', data = ''] = cells.map((cell) => cell.trim())
  const offsetMs = parseOffset(offset)
  if (offsetMs === null) return 'offset'
  if (!isEntryType(type)) return 'type'
  const rowAuthor = { name: author, role: role || 'viewer' }
  if (!(EVENT_ROLES as readonly string[]).includes(rowAuthor.role)) return 'role'
  if (AUTHORED_TYPES.has(type) && author === '') return 'author'
  const extra = data === '' ? null : parseJsonObject(data)
  if (data !== '' && !extra) return 'data'
  const payload = extra
    ? { ...extra, ...authoredFields(type, rowAuthor, text) }
    : buildPayload(type, rowAuthor, text, itemNames)
  if (typeof payload === 'string') return payload
  const parsed = EntryContent.safeParse({ type, payload })
  if (!parsed.success) return contentError(type, extra !== null)
  const content = parsed.data as EntryContent
  recordNames(content, itemNames)
  return { ...content, offsetMs, track: TRACK_OF[type] }
}

/** A script entry as a row that `parseRow` parses. */
export function toCsvRow(entry: ScriptEntry): string[] {
  const { type, payload, offsetMs } = entry
  const { author, text, ...rest } = { author: null, text: '', ...payload } as Record<string, unknown>
  const rowAuthor = author as { name: string; role: string } | null
  const words = AUTHORED_TYPES.has(type) || type === 'messagePinned' ? String(text) : contentText(entry)
  return [formatScriptOffset(offsetMs), type, rowAuthor?.name ?? '', rowAuthor?.role ?? '', words, JSON.stringify(rest)]
}

const AUTHORED_TYPES = new Set<ScriptEntryType>(['message', 'question', 'answer'])

const isEntryType = (type: string): type is ScriptEntryType => (SCRIPT_ENTRY_TYPES as readonly string[]).includes(type)

interface RowAuthor {
  name: string
  role: string
}

// The columns take precedence over `data`, so that corrections in a spreadsheet are used.
function authoredFields(type: ScriptEntryType, rowAuthor: RowAuthor, text: string): object {
  if (AUTHORED_TYPES.has(type)) return { author: rowAuthor, text }
  if (type === 'messagePinned') return { author: rowAuthor.name ? rowAuthor : null, text }
  return {}
}

function buildPayload(
  type: ScriptEntryType,
  rowAuthor: RowAuthor,
  text: string,
  itemNames: ItemNames,
): object | RowError {
  const [first = '', ...rest] = text.split('|').map((part) => part.trim())
  switch (type) {
    case 'message':
    case 'question':
      return { messageId: newId(), author: rowAuthor, text }
    case 'slide.change':
      return /^\d+$/.test(text) ? { fileId: itemNames.slidesFileId, page: Number(text) } : 'page'
    case 'presentation.change':
      return (PRESENTATION_MODES as readonly string[]).includes(text) ? { mode: text } : 'mode'
    case 'button.show':
      return { buttonId: itemNames.buttons.get(first) ?? newId(), content: { label: first, url: rest[0] ?? '' } }
    case 'poll.open':
      return { pollId: newId(), content: { question: first, options: rest } }
    case 'handout.show':
      return { handoutId: itemNames.handouts.get(first) ?? newId(), content: { title: first, url: rest[0] ?? '' } }
    case 'button.hide':
      return withItemId(itemNames.buttons, first, (buttonId) => ({ buttonId }))
    case 'poll.close':
      return withItemId(itemNames.polls, first, (pollId) => ({ pollId }))
    case 'handout.hide':
      return withItemId(itemNames.handouts, first, (handoutId) => ({ handoutId }))
    // These entries refer to another entry, which only `data` can contain.
    case 'answer':
    case 'question.now':
    case 'messagePinned':
      return type === 'question.now' && text === '' ? { messageId: null } : 'data'
  }
}

const withItemId = (ids: Map<string, string>, name: string, use: (id: string) => object): object | RowError => {
  const id = ids.get(name)
  return id ? use(id) : 'unknown_item'
}

function contentError(type: ScriptEntryType, hasData: boolean): RowError {
  if (hasData) return 'data'
  return type === 'slide.change' ? 'page' : 'text'
}

function recordNames({ type, payload }: EntryContent, itemNames: ItemNames): void {
  if (type === 'button.show') itemNames.buttons.set(payload.content.label, payload.buttonId)
  if (type === 'poll.open') itemNames.polls.set(payload.content.question, payload.pollId)
  if (type === 'handout.show') itemNames.handouts.set(payload.content.title, payload.handoutId)
}

function contentText({ type, payload }: EntryContent): string {
  if (type === 'slide.change') return String(payload.page)
  if (type === 'presentation.change') return payload.mode
  if (type === 'button.show') return `${payload.content.label} | ${payload.content.url}`
  if (type === 'poll.open') return [payload.content.question, ...payload.content.options].join(' | ')
  if (type === 'handout.show') return [payload.content.title, payload.content.url ?? ''].join(' | ')
  return ''
}
