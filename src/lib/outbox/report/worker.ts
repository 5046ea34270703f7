import PostalMime from 'postal-mime'
import { textOfHtml } from '#lib/core/mail/inbound/html-text.ts'
import { MAX_HEADER_BYTES, MAX_NESTING } from '#lib/core/mail/inbound/limits.ts'
import { parseReportFields } from './report-field-rules.ts'
import { type ReportResult, resultOf } from './rules.ts'

export interface ParsedReport {
  /** All addresses to which the report was sent, as text. */
  addresses: string
  /** Null when nothing follows from it: a delay, an automatic reply, a complaint. */
  result: ReportResult | null
}

const ADDRESS_HEADERS = new Set(['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to'])
const STATUS_TYPES = new Set(['message/delivery-status', 'message/global-delivery-status'])
const MAX_TEXT = 40_000
/** Lines below which the returned email follows. */
const RETURNED =
  /^(?:[->* ]{0,10}(?:this is a copy of|below this line is a copy|the (?:header|text|body|following) of (?:the|your) (?:original )?(?:message|email)|original message|message headers? follow|undelivered message|unsent message|returned message|copy of|transcript ends)|(?:return-path|received|dkim-signature|x-mailer|mime-version): )/im

/**
 * Parses a report message (RFC 3464), or one of a server that only writes what happened. Runs in a worker process. Content above the
 * limits is an error that refuses the report.
 */
export async function parseReport(source: Uint8Array | string): Promise<ParsedReport> {
  const raw = Buffer.from(source)
  const parser = new PostalMime({
    attachmentEncoding: 'arraybuffer',
    maxNestingDepth: MAX_NESTING,
    maxHeadersSize: MAX_HEADER_BYTES,
    forceRfc822Attachments: true,
  })
  const { headers, subject = '', text = '', html = '', attachments } = await parser.parse(withLineFeeds(raw))
  const addresses = headers
    .filter(({ key }) => ADDRESS_HEADERS.has(key))
    .map(({ value }) => value)
    .join(' ')
  const first = (key: string) =>
    headers
      .find((header) => header.key === key)
      ?.value.trim()
      .toLowerCase() ?? ''
  const isComplaint = attachments.some(({ mimeType }) => mimeType === 'message/feedback-report')
  if (isComplaint || isAutomaticReply(first, subject)) return { addresses, result: null }
  const isFromServer = FROM_SERVER.test(first('from')) || first('return-path') === '<>'
  const recipients = attachments
    .filter(({ mimeType }) => STATUS_TYPES.has(mimeType))
    .flatMap(({ content }) => parseReportFields(contentText(content)))
  const shown = (text.trim() === '' ? textOfHtml(html) : text).slice(0, MAX_TEXT)
  return { addresses, result: resultOf({ recipients, subject, isFromServer, text: withoutReturned(shown) }) }
}

/** A program answered in the name of a person, or a provider passes a complaint on. */
function isAutomaticReply(first: (key: string) => string, subject: string): boolean {
  if (AUTOMATIC_SUBJECT.test(subject) || first('precedence') === 'auto_reply') return true
  if (first('content-type').includes('feedback-report') || /^complaint /i.test(subject)) return true
  return first('auto-submitted').startsWith('auto-replied') && !FROM_SERVER.test(first('from'))
}

const FROM_SERVER = /mailer-daemon|postmaster|mail delivery|mailerdaemon|mail-daemon|bounce/
const AUTOMATIC_SUBJECT =
  /^(?:auto:|automatic reply|automated reply|auto[- ]?(?:reply|response)|out of (?:the )?office|vacation|автовідповідь|автоматична відповідь|автоответ|автоматический ответ|abwesenheit|automatische antwort|autoodpowied|automatyczna odpowied)/i

function withoutReturned(text: string): string {
  const at = text.search(RETURNED)
  // A report that begins with such a line has its reason below.
  return at > 20 ? text.slice(0, at) : text
}

/** Old systems end lines with a carriage return only. */
const withLineFeeds = (raw: Buffer): Uint8Array =>
  raw.includes('\n') ? raw : Buffer.from(raw.toString('latin1').replaceAll('\r', '\n'), 'latin1')

function contentText(content: string | ArrayBuffer | Uint8Array): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content)
}
