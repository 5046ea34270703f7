import { newId } from '#lib/core/db/id.ts'
import { LINE_TYPES, type LineType } from '#lib/core/shared/event/auto-event.ts'
import { MODES, ROOM_ROLES } from '#lib/core/shared/event/live-event.ts'
import { offsetText, readOffset } from './play-rules.ts'
import { type Line, LineContent, TRACK_OF } from './schema.ts'

export const COLUMNS = ['offset', 'type', 'author', 'role', 'text', 'data'] as const

/** Why a row could not be taken: keys `autowebinar:csv.error.<code>`. */
export const ROW_ERRORS = ['offset', 'type', 'author', 'role', 'text', 'mode', 'page', 'unknown_item', 'data'] as const
export type RowError = (typeof ROW_ERRORS)[number]

export type ReadRow = Pick<Line, 'offsetMs' | 'track'> & LineContent

/** What earlier rows have named: a row may hide a button or close a poll by its words. */
export interface Named {
  buttons: Map<string, string>
  polls: Map<string, string>
  handouts: Map<string, string>
  slidesFileId: string | null
}

/** A row of a file as a line of the script, or why it is none. Columns as COLUMNS; `data` may be missing. */
export function readRow(cells: readonly string[], named: Named): ReadRow | RowError {
  const [offset = '', type = '', author = '', role = '', text = '', data = ''] = cells.map((cell) => cell.trim())
  const offsetMs = readOffset(offset)
  if (offsetMs === null) return 'offset'
  if (!isLineType(type)) return 'type'
  const who = { name: author, role: role || 'viewer' }
  if (!(ROOM_ROLES as readonly string[]).includes(who.role)) return 'role'
  if (AUTHORED.has(type) && author === '') return 'author'
  const extra = data === '' ? null : objectOf(data)
  if (data !== '' && !extra) return 'data'
  const payload = extra ? { ...extra, ...wordsOf(type, who, text) } : payloadOf(type, who, text, named)
  if (typeof payload === 'string') return payload
  const parsed = LineContent.safeParse({ type, payload })
  if (!parsed.success) return errorOf(type, extra !== null)
  const content = parsed.data as LineContent
  remember(content, named)
  return { ...content, offsetMs, track: TRACK_OF[type] }
}

/** A line as a row that `readRow` reads back. */
export function rowOf(line: Line): string[] {
  const { type, payload, offsetMs } = line
  const { author, text, ...rest } = { author: null, text: '', ...payload } as Record<string, unknown>
  const who = author as { name: string; role: string } | null
  const words = AUTHORED.has(type) || type === 'messagePinned' ? String(text) : sayingOf(line)
  return [offsetText(offsetMs), type, who?.name ?? '', who?.role ?? '', words, JSON.stringify(rest)]
}

const AUTHORED = new Set<LineType>(['message', 'question', 'answer'])

const isLineType = (type: string): type is LineType => (LINE_TYPES as readonly string[]).includes(type)

function objectOf(json: string): object | null {
  try {
    const value: unknown = JSON.parse(json)
    return value && typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

interface Who {
  name: string
  role: string
}

// The columns win over what stands in `data`, so that a text corrected in a spreadsheet is the text.
function wordsOf(type: LineType, who: Who, text: string): object {
  if (AUTHORED.has(type)) return { author: who, text }
  if (type === 'messagePinned') return { author: who.name ? who : null, text }
  return {}
}

function payloadOf(type: LineType, who: Who, text: string, named: Named): object | RowError {
  const [first = '', ...more] = text.split('|').map((part) => part.trim())
  switch (type) {
    case 'message':
    case 'question':
      return { messageId: newId(), author: who, text }
    case 'slide.change':
      return /^\d+$/.test(text) ? { fileId: named.slidesFileId, page: Number(text) } : 'page'
    case 'presentation.change':
      return (MODES as readonly string[]).includes(text) ? { mode: text } : 'mode'
    case 'button.show':
      return { buttonId: named.buttons.get(first) ?? newId(), content: { label: first, url: more[0] ?? '' } }
    case 'poll.open':
      return { pollId: newId(), content: { question: first, options: more } }
    case 'handout.show':
      return { handoutId: named.handouts.get(first) ?? newId(), content: { title: first, url: more[0] ?? '' } }
    case 'button.hide':
      return idIn(named.buttons, first, (buttonId) => ({ buttonId }))
    case 'poll.close':
      return idIn(named.polls, first, (pollId) => ({ pollId }))
    case 'handout.hide':
      return idIn(named.handouts, first, (handoutId) => ({ handoutId }))
    // These speak of another line, which only `data` can name.
    case 'answer':
    case 'question.now':
    case 'messagePinned':
      return type === 'question.now' && text === '' ? { messageId: null } : 'data'
  }
}

const idIn = (ids: Map<string, string>, name: string, use: (id: string) => object): object | RowError => {
  const id = ids.get(name)
  return id ? use(id) : 'unknown_item'
}

function errorOf(type: LineType, hasData: boolean): RowError {
  if (hasData) return 'data'
  return type === 'slide.change' ? 'page' : 'text'
}

function remember({ type, payload }: LineContent, named: Named): void {
  if (type === 'button.show') named.buttons.set(payload.content.label, payload.buttonId)
  if (type === 'poll.open') named.polls.set(payload.content.question, payload.pollId)
  if (type === 'handout.show') named.handouts.set(payload.content.title, payload.handoutId)
}

function sayingOf({ type, payload }: LineContent): string {
  if (type === 'slide.change') return String(payload.page)
  if (type === 'presentation.change') return payload.mode
  if (type === 'button.show') return `${payload.content.label} | ${payload.content.url}`
  if (type === 'poll.open') return [payload.content.question, ...payload.content.options].join(' | ')
  if (type === 'handout.show') return [payload.content.title, payload.content.url ?? ''].join(' | ')
  return ''
}
