import type { EntryContent, ScriptEntry } from './schema.ts'

const ISSUE_KINDS = [
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
type IssueKind = (typeof ISSUE_KINDS)[number]

export interface ScriptIssue {
  kind: IssueKind
  lineId: string
  offsetMs: number
  /** The button's label, the poll's question or other text of the entry. */
  subject: string
  /** Advice only; the other issues are visible to viewers. */
  isAdvice: boolean
}

export interface ScriptFacts {
  lengthMs: number
  /** Number of pages of a slide file; null if not known (yet). */
  countPages: (fileId: string) => number | null
  /** Prepared items that were deleted after the script was made. */
  deletedItemIds: ReadonlySet<string>
}

const ADVICE_KINDS: ReadonlySet<IssueKind> = new Set(['never_hidden', 'item_deleted', 'poll_never_closed'])

/**
 * Finds issues of a script, in the order of its entries: invisible entries, contradictions, unreachable links. Contents
 * are copied into the entries, so a deleted item does no harm; it is reported all the same.
 */
export function findIssues(lines: readonly ScriptEntry[], facts: ScriptFacts): ScriptIssue[] {
  const issues: ScriptIssue[] = []
  const report = (kind: IssueKind, line: ScriptEntry) =>
    issues.push({
      kind,
      lineId: line.id,
      offsetMs: line.offsetMs,
      subject: describeEntry(line),
      isAdvice: ADVICE_KINDS.has(kind),
    })
  const shown = new Map<string, ScriptEntry>()
  const messageIds = new Set<string>()
  let poll: ScriptEntry | null = null
  for (const line of lines) {
    if (line.offsetMs > facts.lengthMs) report('after_end', line)
    if (hasUnreachableLink(line)) report('link_unreachable', line)
    const itemId = shownItemId(line)
    if (itemId) {
      shown.set(itemId, line)
      if (facts.deletedItemIds.has(itemId)) report('item_deleted', line)
    }
    if (line.type === 'button.hide' || line.type === 'handout.hide') {
      const id = line.type === 'button.hide' ? line.payload.buttonId : line.payload.handoutId
      if (!shown.delete(id)) report('hidden_before_shown', line)
    }
    if (line.type === 'poll.open') {
      if (poll) report('polls_overlap', line)
      if (line.payload.content.kind !== 'rating' && line.payload.content.options.length < 2)
        report('poll_few_options', line)
      poll = line
    }
    if (line.type === 'poll.close') {
      if (poll?.type === 'poll.open' && poll.payload.pollId === line.payload.pollId) poll = null
      else if (!shown.has(line.payload.pollId)) report('hidden_before_shown', line)
    }
    if (line.type === 'message' || line.type === 'question') messageIds.add(line.payload.messageId)
    if (line.type === 'answer' && !messageIds.has(line.payload.messageId)) report('answer_without_question', line)
    if (line.type === 'slide.change') checkSlide(line, facts, report)
  }
  for (const line of shown.values()) if (line.type === 'button.show') report('never_hidden', line)
  if (poll) report('poll_never_closed', poll)
  return issues.sort((a, b) => a.offsetMs - b.offsetMs)
}

/** Short description of an entry for lists. */
export function describeEntry({ type, payload }: EntryContent): string {
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

/** Link of an entry, if it has one. */
export function findLink({ type, payload }: EntryContent): string | null {
  if (type === 'button.show') return payload.content.url
  return type === 'handout.show' ? payload.content.url : null
}

function shownItemId({ type, payload }: EntryContent): string | null {
  if (type === 'button.show') return payload.buttonId
  if (type === 'handout.show') return payload.handoutId
  return type === 'poll.open' ? payload.pollId : null
}

function checkSlide(
  line: Extract<ScriptEntry, { type: 'slide.change' }>,
  facts: ScriptFacts,
  report: (kind: IssueKind, line: ScriptEntry) => void,
): void {
  const { fileId, page } = line.payload
  if (fileId === null) {
    report('no_slides', line)
    return
  }
  const pages = facts.countPages(fileId)
  if (pages !== null && page > pages) report('slide_beyond', line)
}

// Whether the host responds cannot be checked here; malformed and reserved addresses can.
function hasUnreachableLink(line: EntryContent): boolean {
  const link = findLink(line)
  if (link === null) return false
  if (!URL.canParse(link)) return true
  const { protocol, hostname, username } = new URL(link)
  if (protocol !== 'https:' && protocol !== 'http:') return true
  const host = hostname.replace(/\.$/, '')
  return username !== '' || !host.includes('.') || /\.(test|invalid|example|local|localhost)$/.test(host)
}
