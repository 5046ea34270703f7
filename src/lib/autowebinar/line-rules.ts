import type { LineType, Track } from '#lib/core/shared/event/auto-event.ts'
import type { ButtonContent } from '#lib/workshop/session/event-schema.ts'
import type { LineContent } from './schema.ts'

/** The words that make a line: whoever edits it types these, whatever its type. */
export interface LineWords {
  name: string
  role: 'host' | 'speaker' | 'moderator' | 'viewer'
  text: string
  link: string
  options: string
  page: number
  mode: 'presentation' | 'preview' | 'broadcast' | 'presentationAndBroadcast'
}

export const NO_WORDS: LineWords = {
  name: '',
  role: 'viewer',
  text: '',
  link: '',
  options: '',
  page: 1,
  mode: 'presentationAndBroadcast',
}

/** What may be added to a track by hand. */
export const ADDABLE = {
  chat: ['message', 'question'],
  buttons: ['button.show', 'button.hide'],
  slides: ['slide.change'],
  layout: ['presentation.change'],
  polls: ['poll.open', 'poll.close'],
  handouts: ['handout.show', 'handout.hide'],
} as const satisfies Record<Track, readonly LineType[]>
export type Addable = (typeof ADDABLE)[Track][number]

/** What each type is called among the strings, whose keys have no dots in them. */
export const NAMED = {
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
} as const satisfies Record<LineType, string>

/** Of a line that ends what another one began: what that one's id is called. */
export const ENDS: Partial<Record<LineType, { begins: LineType; id: 'buttonId' | 'pollId' | 'handoutId' }>> = {
  'button.hide': { begins: 'button.show', id: 'buttonId' },
  'poll.close': { begins: 'poll.open', id: 'pollId' },
  'handout.hide': { begins: 'handout.show', id: 'handoutId' },
}

/** A line's words, to be edited. */
export function wordsOf({ type, payload }: LineContent): LineWords {
  switch (type) {
    case 'message':
    case 'question':
    case 'answer':
      return { ...NO_WORDS, ...payload.author, text: payload.text }
    case 'button.show':
      return { ...NO_WORDS, text: payload.content.label, link: payload.content.url }
    case 'handout.show':
      return { ...NO_WORDS, text: payload.content.title, link: payload.content.url ?? '' }
    case 'poll.open':
      return { ...NO_WORDS, text: payload.content.question, options: payload.content.options.join('\n') }
    case 'slide.change':
      return { ...NO_WORDS, page: payload.page }
    case 'presentation.change':
      return { ...NO_WORDS, mode: payload.mode }
    default:
      return NO_WORDS
  }
}

/** A line with other words; all else of it stays. */
export function withWords(line: LineContent, words: LineWords): LineContent {
  const { type, payload } = line
  switch (type) {
    case 'message':
    case 'question':
    case 'answer':
      return {
        type,
        payload: { ...payload, author: { name: words.name, role: words.role }, text: words.text },
      } as LineContent
    case 'button.show':
      return { type, payload: { ...payload, content: { ...payload.content, label: words.text, url: words.link } } }
    case 'handout.show':
      return {
        type,
        payload: { ...payload, content: { ...payload.content, title: words.text, url: words.link || null } },
      }
    case 'poll.open':
      return {
        type,
        payload: { ...payload, content: { ...payload.content, question: words.text, options: linesIn(words.options) } },
      }
    case 'slide.change':
      return { type, payload: { ...payload, page: words.page } }
    case 'presentation.change':
      return { type, payload: { mode: words.mode } }
    default:
      return line
  }
}

export interface NewLineFacts {
  id: () => string
  slidesFileId: string | null
  /** The last line that this one would end. */
  begun: LineContent | null
}

/** A new line of a type with nothing in it yet; null for one that ends what nothing has begun. */
export function emptyLine(type: LineType, { id, slidesFileId, begun }: NewLineFacts): LineContent | null {
  const author = { name: '', role: 'viewer' as const }
  const ends = ENDS[type]
  const ended = ends && begun ? Reflect.get(begun.payload, ends.id) : null
  switch (type) {
    case 'message':
    case 'question':
      return { type, payload: { messageId: id(), author, text: '', replyTo: null, held: null } }
    case 'button.show':
      return { type, payload: { buttonId: id(), content: { ...BUTTON }, shownAt: null } }
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
      return ended ? { type, payload: { buttonId: ended } } : null
    case 'handout.hide':
      return ended ? { type, payload: { handoutId: ended } } : null
    case 'poll.close':
      return ended ? { type, payload: { pollId: ended, tally: [], voters: 0 } } : null
    default:
      return null
  }
}

const BUTTON: ButtonContent = {
  label: '',
  url: '',
  style: 'primary',
  placement: 'underVideo',
  countdownTo: null,
  countdownSeconds: null,
  quantityLeft: null,
}

const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((one) => one.trim())
    .filter(Boolean)
