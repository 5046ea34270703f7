import { newId } from '#lib/core/db/id.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { EventAuthor, RoomEvent } from '#lib/workshop/session/event-schema.ts'
import { applySessionEvent } from '#lib/workshop/session/state-rules.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { createNameRemover, createPseudonyms } from './pseudonym.ts'
import { type EntryContent, MAX_OFFSET_MS, type ScriptEntry, TRACK_OF } from './schema.ts'

export interface ScriptOptions {
  /** State of the room before the first event. */
  initialState: RoomState
  startedAt: number
  finishedAt: number
  language: Locale
  /** Salt of the pseudonyms of this script. */
  salt: string
  keepTally: boolean
}

type NewScriptEntry = EntryContent & Pick<ScriptEntry, 'id' | 'offsetMs' | 'position' | 'track'>

/**
 * Builds a script from an event log: public events between start and finish at their offsets, and the state at the
 * start. Deleted and held messages and events of single viewers are omitted; viewers get pseudonyms, also where
 * messages mention them.
 */
export function buildScript(log: readonly RoomEvent[], facts: ScriptOptions): NewScriptEntry[] {
  const anonymizer = createAnonymizer(log, facts)
  const deletedIds = findDeletedIds(log)
  const scriptIds = new Map<string, string>()
  const entries: NewScriptEntry[] = []
  const add = (offsetMs: number, content: EntryContent | null) => {
    if (content)
      entries.push({ ...content, id: newId(), offsetMs, position: entries.length, track: TRACK_OF[content.type] })
  }
  const duringSession = log.filter(({ at }) => at >= facts.startedAt && at <= facts.finishedAt)
  const beforeStart = log.filter(({ at }) => at < facts.startedAt)
  for (const content of initialEntries(beforeStart.reduce(applySessionEvent, facts.initialState), facts.initialState))
    add(0, content)
  for (const event of duringSession) {
    const offsetMs = Math.min(event.at - facts.startedAt, MAX_OFFSET_MS)
    add(
      offsetMs,
      copyEvent(event, {
        anonymizer: anonymizer,
        deletedIds: deletedIds,
        scriptIds: scriptIds,
        keepTally: facts.keepTally,
      }),
    )
  }
  return entries.sort((a, b) => a.offsetMs - b.offsetMs || a.position - b.position)
}

interface Anonymizer {
  author(author: EventAuthor, actorId: string | null): EventAuthor
  text(text: string): string
}

interface CopyContext {
  anonymizer: Anonymizer
  deletedIds: ReadonlySet<string>
  /** Message ids of the log mapped to those of the script. */
  scriptIds: Map<string, string>
  keepTally: boolean
}

function copyEvent(event: RoomEvent, context: CopyContext): EntryContent | null {
  if (event.audience !== 'all') return null
  switch (event.type) {
    case 'message':
    case 'question':
      return copyMessage(event.type, event.payload, event.actorId, context)
    case 'messageShown':
      return event.payload.author
        ? copyMessage(
            event.payload.kind,
            { ...event.payload, author: event.payload.author },
            event.payload.authorId,
            context,
          )
        : null
    case 'answer':
    case 'messagePinned':
    case 'question.now':
      return copyReference(event, context)
    case 'poll.close':
      return {
        type: event.type,
        payload: context.keepTally ? event.payload : { ...event.payload, tally: [], voters: 0 },
      }
    case 'button.show':
      return { type: event.type, payload: { ...event.payload, shownAt: null } }
    case 'button.hide':
    case 'slide.change':
    case 'presentation.change':
    case 'poll.open':
    case 'handout.show':
    case 'handout.hide':
      return { type: event.type, payload: event.payload } as EntryContent
    default:
      return null
  }
}

interface LoggedMessage {
  messageId: string
  author: EventAuthor
  text: string
  replyTo: string | null
}

function copyMessage(
  type: 'message' | 'question',
  { messageId, author, text, replyTo }: LoggedMessage,
  actorId: string | null,
  { anonymizer, deletedIds, scriptIds }: CopyContext,
): EntryContent | null {
  if (deletedIds.has(messageId) || scriptIds.has(messageId)) return null
  const newMessageId = newId()
  scriptIds.set(messageId, newMessageId)
  const payload = {
    messageId: newMessageId,
    author: anonymizer.author(author, actorId),
    text: anonymizer.text(text),
    holdReason: null,
    replyTo: (replyTo && scriptIds.get(replyTo)) ?? null,
  }
  return { type, payload }
}

type MessageReference = Extract<RoomEvent, { type: 'answer' | 'messagePinned' | 'question.now' }>

// References to messages that are not in the script are removed.
function copyReference(event: MessageReference, { anonymizer, scriptIds }: CopyContext): EntryContent | null {
  if (event.type === 'question.now') {
    const { messageId } = event.payload
    const scriptId = messageId && scriptIds.get(messageId)
    return scriptId || messageId === null ? { type: event.type, payload: { messageId: scriptId ?? null } } : null
  }
  const messageId = scriptIds.get(event.payload.messageId)
  if (!messageId) return null
  const text = anonymizer.text(event.payload.text)
  if (event.type === 'answer') {
    return {
      type: event.type,
      payload: { messageId, text, author: anonymizer.author(event.payload.author, event.actorId) },
    }
  }
  const { author, pinned } = event.payload
  return {
    type: event.type,
    payload: { messageId, pinned, text, author: author && anonymizer.author(author, null) },
  }
}

/** State of the room at the start, as entries at offset 0. */
function initialEntries(room: RoomState, initialState: RoomState): EntryContent[] {
  const { poll } = room
  return [
    ...(room.mode === initialState.mode
      ? []
      : [{ type: 'presentation.change', payload: { mode: room.mode } } as const]),
    ...(isSameSlide(room.slide, initialState.slide) ? [] : [{ type: 'slide.change', payload: room.slide } as const]),
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

const isSameSlide = (a: RoomState['slide'], b: RoomState['slide']) => a.fileId === b.fileId && a.page === b.page

function findDeletedIds(log: readonly RoomEvent[]): Set<string> {
  return new Set(log.flatMap((event) => (event.type === 'messageDeleted' ? [event.payload.messageId] : [])))
}

function createAnonymizer(log: readonly RoomEvent[], { language, salt }: ScriptOptions): Anonymizer {
  const viewers = new Map<string, string>()
  for (const { author, actorId } of collectAuthors(log)) {
    if (author.role === 'viewer') viewers.set(personKey(author, actorId), author.name)
  }
  const nameFor = createPseudonyms(language, salt, viewers.values())
  const persons = new Map([...viewers].map(([person, name]) => [name, nameFor(person)]))
  return {
    author: (author, actorId) => {
      if (author.role !== 'viewer') return author
      const name = actorId === null ? persons.get(author.name) : undefined
      return { ...author, name: name ?? nameFor(personKey(author, actorId)) }
    },
    text: createNameRemover(persons),
  }
}

const personKey = (author: EventAuthor, actorId: string | null): string => actorId ?? `name ${author.name}`

function collectAuthors(log: readonly RoomEvent[]): { author: EventAuthor; actorId: string | null }[] {
  return log.flatMap((event) => {
    if (event.type === 'message' || event.type === 'question' || event.type === 'answer') {
      return [{ author: event.payload.author, actorId: event.actorId }]
    }
    const shown = event.type === 'messageShown' ? event.payload.author : null
    return event.type === 'messageShown' && shown ? [{ author: shown, actorId: event.payload.authorId }] : []
  })
}
