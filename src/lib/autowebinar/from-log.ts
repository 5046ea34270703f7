import { newId } from '#lib/core/db/id.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Author, RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { foldRoom } from '#lib/workshop/session/state-rules.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { pseudonyms, withoutPeople } from './pseudonym.ts'
import { type Line, type LineContent, LONGEST_MS, TRACK_OF } from './schema.ts'

export interface LogFacts {
  /** The room before anything happened. */
  empty: RoomState
  startedAt: number
  finishedAt: number
  language: Locale
  /** Makes the names that are given another choice for each script. */
  salt: string
  keepTally: boolean
}

type NewLine = LineContent & Pick<Line, 'id' | 'offsetMs' | 'position' | 'track'>

/**
 * The script that a log makes: what everybody saw between start and finish, at the second at which they saw it, and what
 * stood in the room when it began. What was deleted is not in it, nor what was kept from the room, nor anything that
 * single viewers did; they bear other names, also in what others said of them.
 */
export function scriptOf(log: readonly RoomEvent[], facts: LogFacts): NewLine[] {
  const masks = masksOf(log, facts)
  const gone = deletedIn(log)
  const said = new Map<string, string>()
  const lines: NewLine[] = []
  const add = (offsetMs: number, content: LineContent | null) => {
    if (content)
      lines.push({ ...content, id: newId(), offsetMs, position: lines.length, track: TRACK_OF[content.type] })
  }
  const during = log.filter(({ at }) => at >= facts.startedAt && at <= facts.finishedAt)
  const before = log.filter(({ at }) => at < facts.startedAt)
  for (const content of standing(before.reduce(foldRoom, facts.empty), facts.empty)) add(0, content)
  for (const event of during) {
    const offsetMs = Math.min(event.at - facts.startedAt, LONGEST_MS)
    add(offsetMs, contentOf(event, { masks, gone, said, keepTally: facts.keepTally }))
  }
  return lines.sort((a, b) => a.offsetMs - b.offsetMs || a.position - b.position)
}

interface Masks {
  author(author: Author, actorId: string | null): Author
  text(text: string): string
}

interface Copying {
  masks: Masks
  gone: ReadonlySet<string>
  /** Messages of the log and what they are called in the script. */
  said: Map<string, string>
  keepTally: boolean
}

function contentOf(event: RoomEvent, copying: Copying): LineContent | null {
  if (event.audience !== 'all') return null
  switch (event.type) {
    case 'message':
    case 'question':
      return spoken(event.type, event.payload, event.actorId, copying)
    case 'messageShown':
      return event.payload.author
        ? spoken(
            event.payload.kind,
            { ...event.payload, author: event.payload.author },
            event.payload.authorId,
            copying,
          )
        : null
    case 'answer':
    case 'messagePinned':
    case 'question.now':
      return about(event, copying)
    case 'poll.close':
      return {
        type: event.type,
        payload: copying.keepTally ? event.payload : { ...event.payload, tally: [], voters: 0 },
      }
    case 'button.show':
      return { type: event.type, payload: { ...event.payload, shownAt: null } }
    case 'button.hide':
    case 'slide.change':
    case 'presentation.change':
    case 'poll.open':
    case 'handout.show':
    case 'handout.hide':
      return { type: event.type, payload: event.payload } as LineContent
    default:
      return null
  }
}

interface Said {
  messageId: string
  author: Author
  text: string
  replyTo: string | null
}

function spoken(
  type: 'message' | 'question',
  { messageId, author, text, replyTo }: Said,
  actorId: string | null,
  { masks, gone, said }: Copying,
): LineContent | null {
  if (gone.has(messageId) || said.has(messageId)) return null
  const own = newId()
  said.set(messageId, own)
  const payload = {
    messageId: own,
    author: masks.author(author, actorId),
    text: masks.text(text),
    held: null,
    replyTo: (replyTo && said.get(replyTo)) ?? null,
  }
  return { type, payload }
}

type About = Extract<RoomEvent, { type: 'answer' | 'messagePinned' | 'question.now' }>

// What speaks of a message that is not in the script has nothing to speak of.
function about(event: About, { masks, said }: Copying): LineContent | null {
  if (event.type === 'question.now') {
    const { messageId } = event.payload
    const own = messageId && said.get(messageId)
    return own || messageId === null ? { type: event.type, payload: { messageId: own ?? null } } : null
  }
  const messageId = said.get(event.payload.messageId)
  if (!messageId) return null
  const text = masks.text(event.payload.text)
  if (event.type === 'answer') {
    return { type: event.type, payload: { messageId, text, author: masks.author(event.payload.author, event.actorId) } }
  }
  const { author, pinned } = event.payload
  return { type: event.type, payload: { messageId, pinned, text, author: author && masks.author(author, null) } }
}

/** What stood in the room when it began, as lines of its first moment. */
function standing(room: RoomState, empty: RoomState): LineContent[] {
  const { poll } = room
  return [
    ...(room.mode === empty.mode ? [] : [{ type: 'presentation.change', payload: { mode: room.mode } } as const]),
    ...(same(room.slide, empty.slide) ? [] : [{ type: 'slide.change', payload: room.slide } as const]),
    ...room.buttons.map(({ buttonId, content }) => ({
      type: 'button.show' as const,
      payload: { buttonId, content, shownAt: null },
    })),
    ...room.handouts.map((payload) => ({ type: 'handout.show' as const, payload })),
    ...(poll && !poll.closed
      ? [{ type: 'poll.open', payload: { pollId: poll.pollId, content: poll.content } } as const]
      : []),
  ]
}

const same = (a: RoomState['slide'], b: RoomState['slide']) => a.fileId === b.fileId && a.page === b.page

function deletedIn(log: readonly RoomEvent[]): Set<string> {
  return new Set(log.flatMap((event) => (event.type === 'messageDeleted' ? [event.payload.messageId] : [])))
}

function masksOf(log: readonly RoomEvent[], { language, salt }: LogFacts): Masks {
  const viewers = new Map<string, string>()
  for (const { author, actorId } of authorsIn(log)) {
    if (author.role === 'viewer') viewers.set(personOf(author, actorId), author.name)
  }
  const nameFor = pseudonyms(language, salt, viewers.values())
  const persons = new Map([...viewers].map(([person, name]) => [name, nameFor(person)]))
  return {
    author: (author, actorId) => {
      if (author.role !== 'viewer') return author
      const name = actorId === null ? persons.get(author.name) : undefined
      return { ...author, name: name ?? nameFor(personOf(author, actorId)) }
    },
    text: withoutPeople(persons),
  }
}

const personOf = (author: Author, actorId: string | null): string => actorId ?? `name ${author.name}`

function authorsIn(log: readonly RoomEvent[]): { author: Author; actorId: string | null }[] {
  return log.flatMap((event) => {
    if (event.type === 'message' || event.type === 'question' || event.type === 'answer') {
      return [{ author: event.payload.author, actorId: event.actorId }]
    }
    const shown = event.type === 'messageShown' ? event.payload.author : null
    return event.type === 'messageShown' && shown ? [{ author: shown, actorId: event.payload.authorId }] : []
  })
}
