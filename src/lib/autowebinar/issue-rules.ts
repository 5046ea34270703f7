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
  entryId: string
  offsetMs: number
  /** The button's label, the poll's question or other text of the entry. */
  subject: string
  /** A recommendation; the other issues are visible to viewers. */
  isAdvice: boolean
}

export interface ScriptFacts {
  lengthMs: number
  /** Number of pages of a slide file; null while unknown. */
  countPages: (fileId: string) => number | null
  /** Prepared items that were deleted after the script was made. */
  deletedItemIds: ReadonlySet<string>
}

const ADVICE_KINDS: ReadonlySet<IssueKind> = new Set(['never_hidden', 'item_deleted', 'poll_never_closed'])

/**
 * Finds issues of a script, in the order of its entries: invisible entries, contradictions, unreachable links. Contents
 * are copied into the entries, so a deleted item is only reported as a recommendation.
 */
export function findIssues(entries: readonly ScriptEntry[], facts: ScriptFacts): ScriptIssue[] {
  const issues: ScriptIssue[] = []
  const report = (kind: IssueKind, entry: ScriptEntry) =>
    issues.push({
      kind,
      entryId: entry.id,
      offsetMs: entry.offsetMs,
      subject: describeEntry(entry),
      isAdvice: ADVICE_KINDS.has(kind),
    })
  const shown = new Map<string, ScriptEntry>()
  const messageIds = new Set<string>()
  let poll: ScriptEntry | null = null
  for (const entry of entries) {
    if (entry.offsetMs > facts.lengthMs) report('after_end', entry)
    if (hasUnreachableLink(entry)) report('link_unreachable', entry)
    const itemId = shownItemId(entry)
    if (itemId) {
      shown.set(itemId, entry)
      if (facts.deletedItemIds.has(itemId)) report('item_deleted', entry)
    }
    if (entry.type === 'button.hide' || entry.type === 'handout.hide') {
      const id = entry.type === 'button.hide' ? entry.payload.buttonId : entry.payload.handoutId
      if (!shown.delete(id)) report('hidden_before_shown', entry)
    }
    if (entry.type === 'poll.open') {
      if (poll) report('polls_overlap', entry)
      if (entry.payload.content.kind !== 'rating' && entry.payload.content.options.length < 2)
        report('poll_few_options', entry)
      poll = entry
    }
    if (entry.type === 'poll.close') {
      if (poll?.type === 'poll.open' && poll.payload.pollId === entry.payload.pollId) poll = null
      else if (!shown.has(entry.payload.pollId)) report('hidden_before_shown', entry)
    }
    if (entry.type === 'message' || entry.type === 'question') messageIds.add(entry.payload.messageId)
    if (entry.type === 'answer' && !messageIds.has(entry.payload.messageId)) report('answer_without_question', entry)
    if (entry.type === 'slide.change') checkSlide(entry, facts, report)
  }
  for (const entry of shown.values()) if (entry.type === 'button.show') report('never_hidden', entry)
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
export function findEntryLink({ type, payload }: EntryContent): string | null {
  if (type === 'button.show') return payload.content.url
  return type === 'handout.show' ? payload.content.url : null
}

function shownItemId({ type, payload }: EntryContent): string | null {
  if (type === 'button.show') return payload.buttonId
  if (type === 'handout.show') return payload.handoutId
  return type === 'poll.open' ? payload.pollId : null
}

function checkSlide(
  entry: Extract<ScriptEntry, { type: 'slide.change' }>,
  facts: ScriptFacts,
  report: (kind: IssueKind, entry: ScriptEntry) => void,
): void {
  const { fileId, page } = entry.payload
  if (fileId === null) {
    report('no_slides', entry)
    return
  }
  const pages = facts.countPages(fileId)
  if (pages !== null && page > pages) report('slide_beyond', entry)
}

// Only malformed and reserved addresses are detected here, not hosts that do not respond.
function hasUnreachableLink(entry: EntryContent): boolean {
  const link = findEntryLink(entry)
  if (link === null) return false
  if (!URL.canParse(link)) return true
  const { protocol, hostname, username } = new URL(link)
  if (protocol !== 'https:' && protocol !== 'http:') return true
  const host = hostname.replace(/\.$/, '')
  return username !== '' || !host.includes('.') || /\.(test|invalid|example|local|localhost)$/.test(host)
}
