import type { ScriptEntryType, Track } from '#lib/core/shared/event/auto-event.ts'
import type { RoomRole } from '#lib/core/shared/event/live-event.ts'
import type { ButtonContent } from '#lib/workshop/session/event-schema.ts'
import type { EntryContent } from './schema.ts'

/** Form fields of an entry, for all types. */
export interface EntryForm {
  name: string
  role: RoomRole
  text: string
  link: string
  options: string
  page: number
  mode: 'presentation' | 'preview' | 'broadcast' | 'presentationAndBroadcast'
}

export const EMPTY_FORM: EntryForm = {
  name: '',
  role: 'viewer',
  text: '',
  link: '',
  options: '',
  page: 1,
  mode: 'presentationAndBroadcast',
}

/** Types that can be added to a track manually. */
export const ADDABLE_TYPES = {
  chat: ['message', 'question'],
  buttons: ['button.show', 'button.hide'],
  slides: ['slide.change'],
  layout: ['presentation.change'],
  polls: ['poll.open', 'poll.close'],
  handouts: ['handout.show', 'handout.hide'],
} as const satisfies Record<Track, readonly ScriptEntryType[]>

/** Translation key of each type; keys contain no dots. */
export const TYPE_KEYS = {
  message: 'message',
  question: 'question',
  'question.now': 'questionNow',
  answer: 'answer',
  messagePinned: 'messagePinned',
  'button.show': 'buttonShow',
  'button.hide': 'buttonHide',
  'slide.change': 'slideChange',
  'presentation.change': 'presentationChange',
  'poll.open': 'pollOpen',
  'poll.close': 'pollClose',
  'handout.show': 'handoutShow',
  'handout.hide': 'handoutHide',
} as const satisfies Record<ScriptEntryType, string>

/** For closing types: the opening type, and the field with its id. */
export const CLOSING_TYPES: Partial<
  Record<ScriptEntryType, { begins: ScriptEntryType; id: 'buttonId' | 'pollId' | 'handoutId' }>
> = {
  'button.hide': { begins: 'button.show', id: 'buttonId' },
  'poll.close': { begins: 'poll.open', id: 'pollId' },
  'handout.hide': { begins: 'handout.show', id: 'handoutId' },
}

/** Form fields of an entry. */
export function toEntryForm({ type, payload }: EntryContent): EntryForm {
  switch (type) {
    case 'message':
    case 'question':
    case 'answer':
      return { ...EMPTY_FORM, ...payload.author, text: payload.text }
    case 'button.show':
      return { ...EMPTY_FORM, text: payload.content.label, link: payload.content.url }
    case 'handout.show':
      return { ...EMPTY_FORM, text: payload.content.title, link: payload.content.url ?? '' }
    case 'poll.open':
      return { ...EMPTY_FORM, text: payload.content.question, options: payload.content.options.join('\n') }
    case 'slide.change':
      return { ...EMPTY_FORM, page: payload.page }
    case 'presentation.change':
      return { ...EMPTY_FORM, mode: payload.mode }
    default:
      return EMPTY_FORM
  }
}

/** An entry with changed form fields; all other fields are kept. */
export function applyEntryForm(entry: EntryContent, form: EntryForm): EntryContent {
  const { type, payload } = entry
  switch (type) {
    case 'message':
    case 'question':
    case 'answer':
      return {
        type,
        payload: { ...payload, author: { name: form.name, role: form.role }, text: form.text },
      } as EntryContent
    case 'button.show':
      return {
        type,
        payload: { ...payload, content: { ...payload.content, label: form.text, url: form.link } },
      }
    case 'handout.show':
      return {
        type,
        payload: { ...payload, content: { ...payload.content, title: form.text, url: form.link || null } },
      }
    case 'poll.open':
      return {
        type,
        payload: {
          ...payload,
          content: { ...payload.content, question: form.text, options: splitLines(form.options) },
        },
      }
    case 'slide.change':
      return { type, payload: { ...payload, page: form.page } }
    case 'presentation.change':
      return { type, payload: { mode: form.mode } }
    default:
      return entry
  }
}

export interface NewEntryOptions {
  id: () => string
  slidesFileId: string | null
  /** The last opening entry that this one would close. */
  opened: EntryContent | null
}

/** A new empty entry; null for a closing type without an opening entry. */
export function createEntry(
  type: ScriptEntryType,
  { id, slidesFileId, opened: begun }: NewEntryOptions,
): EntryContent | null {
  const author = { name: '', role: 'viewer' as const }
  const closing = CLOSING_TYPES[type]
  const closedId = closing && begun ? Reflect.get(begun.payload, closing.id) : null
  switch (type) {
    case 'message':
    case 'question':
      return { type, payload: { messageId: id(), author, text: '', replyTo: null, holdReason: null } }
    case 'button.show':
      return { type, payload: { buttonId: id(), content: { ...EMPTY_BUTTON }, shownAt: null } }
    case 'handout.show':
      return { type, payload: { handoutId: id(), content: { title: '', fileId: null, url: null } } }
    case 'poll.open':
      return {
        type,
        payload: {
          pollId: id(),
          content: { question: '', kind: 'single', options: [], right: [], showResults: 'always' },
        },
      }
    case 'slide.change':
      return { type, payload: { fileId: slidesFileId, page: 1 } }
    case 'presentation.change':
      return { type, payload: { mode: 'presentationAndBroadcast' } }
    case 'button.hide':
      return closedId ? { type, payload: { buttonId: closedId } } : null
    case 'handout.hide':
      return closedId ? { type, payload: { handoutId: closedId } } : null
    case 'poll.close':
      return closedId ? { type, payload: { pollId: closedId, tally: [], voters: 0 } } : null
    default:
      return null
  }
}

const EMPTY_BUTTON: ButtonContent = {
  label: '',
  url: '',
  style: 'primary',
  placement: 'underVideo',
  countdownTo: null,
  countdownSeconds: null,
  quantityLeft: null,
}

const splitLines = (text: string): string[] =>
  text
    .split('\n')
    .map((option) => option.trim())
    .filter(Boolean)
