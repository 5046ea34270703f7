import type { Line, LineContent } from './schema.ts'

export const FLAWS = [
  'after_end',
  'hidden_before_shown',
  'never_hidden',
  'item_deleted',
  'slide_beyond',
  'no_slides',
  'polls_overlap',
  'poll_never_closed',
  'poll_few_options',
  'link_unreachable',
  'answer_without_question',
] as const
export type FlawKind = (typeof FLAWS)[number]

export interface Flaw {
  kind: FlawKind
  lineId: string
  offsetMs: number
  /** What it is about: a button's label, a poll's question. */
  about: string
  /** Notes are worth a look, the others will be seen by viewers. */
  note: boolean
}

export interface ScriptFacts {
  lengthMs: number
  /** Pages of each slide file; null where they are not known (yet). */
  pagesOf: (fileId: string) => number | null
  /** Prepared items that the script was made of and that somebody has deleted since. */
  gone: ReadonlySet<string>
}

const NOTES: ReadonlySet<FlawKind> = new Set(['never_hidden', 'item_deleted', 'poll_never_closed'])

/**
 * What is wrong with a script, in the order of its lines: what nobody will see, what contradicts itself, what leads
 * nowhere. Contents stand in the lines, so a deleted item kills nothing; it is said all the same.
 */
export function flawsOf(lines: readonly Line[], facts: ScriptFacts): Flaw[] {
  const flaws: Flaw[] = []
  const say = (kind: FlawKind, line: Line) =>
    flaws.push({ kind, lineId: line.id, offsetMs: line.offsetMs, about: aboutOf(line), note: NOTES.has(kind) })
  const open = new Map<string, Line>()
  const asked = new Set<string>()
  let poll: Line | null = null
  for (const line of lines) {
    if (line.offsetMs > facts.lengthMs) say('after_end', line)
    if (unreachable(line)) say('link_unreachable', line)
    const itemId = shownId(line)
    if (itemId) {
      open.set(itemId, line)
      if (facts.gone.has(itemId)) say('item_deleted', line)
    }
    if (line.type === 'button.hide' || line.type === 'handout.hide') {
      const id = line.type === 'button.hide' ? line.payload.buttonId : line.payload.handoutId
      if (!open.delete(id)) say('hidden_before_shown', line)
    }
    if (line.type === 'poll.open') {
      if (poll) say('polls_overlap', line)
      if (line.payload.content.kind !== 'rating' && line.payload.content.options.length < 2)
        say('poll_few_options', line)
      poll = line
    }
    if (line.type === 'poll.close') {
      if (poll?.type === 'poll.open' && poll.payload.pollId === line.payload.pollId) poll = null
      else if (!open.has(line.payload.pollId)) say('hidden_before_shown', line)
    }
    if (line.type === 'message' || line.type === 'question') asked.add(line.payload.messageId)
    if (line.type === 'answer' && !asked.has(line.payload.messageId)) say('answer_without_question', line)
    if (line.type === 'slide.change') slideFlaw(line, facts, say)
  }
  for (const line of open.values()) if (line.type === 'button.show') say('never_hidden', line)
  if (poll) say('poll_never_closed', poll)
  return flaws.sort((a, b) => a.offsetMs - b.offsetMs)
}

/** What a line is called in a list: the words that people know it by. */
export function aboutOf({ type, payload }: LineContent): string {
  switch (type) {
    case 'message':
    case 'question':
    case 'answer':
    case 'messagePinned':
      return payload.text
    case 'button.show':
      return payload.content.label
    case 'poll.open':
      return payload.content.question
    case 'handout.show':
      return payload.content.title
    case 'slide.change':
      return String(payload.page)
    case 'presentation.change':
      return payload.mode
    default:
      return ''
  }
}

/** The address that a line leads to, where it leads anywhere. */
export function linkOf({ type, payload }: LineContent): string | null {
  if (type === 'button.show') return payload.content.url
  return type === 'handout.show' ? payload.content.url : null
}

function shownId({ type, payload }: LineContent): string | null {
  if (type === 'button.show') return payload.buttonId
  if (type === 'handout.show') return payload.handoutId
  return type === 'poll.open' ? payload.pollId : null
}

function slideFlaw(
  line: Extract<Line, { type: 'slide.change' }>,
  facts: ScriptFacts,
  say: (kind: FlawKind, line: Line) => void,
): void {
  const { fileId, page } = line.payload
  if (fileId === null) {
    say('no_slides', line)
    return
  }
  const pages = facts.pagesOf(fileId)
  if (pages !== null && page > pages) say('slide_beyond', line)
}

// Whether anything answers there only a visitor finds out; what can be seen from here is an address that nobody has.
function unreachable(line: LineContent): boolean {
  const link = linkOf(line)
  if (link === null) return false
  if (!URL.canParse(link)) return true
  const { protocol, hostname, username } = new URL(link)
  if (protocol !== 'https:' && protocol !== 'http:') return true
  const host = hostname.replace(/\.$/, '')
  return username !== '' || !host.includes('.') || /\.(test|invalid|example|local|localhost)$/.test(host)
}
