import PostalMime, { addressParser } from 'postal-mime'
import { newTextOf } from './rules.ts'

export interface ParsedReply {
  /** All addresses to which the reply was sent, as text. */
  addresses: string
  /** The address of the sender, in lower case; empty when there is not exactly one. */
  from: string
  /** The Message-ID; empty without one. */
  messageId: string
  /** An automatic response, a delivery report or a message of a mailing list. */
  isAutomatic: boolean
  /** What the sender has written, without the quoted email. */
  text: string
}

const ADDRESS_HEADERS = new Set(['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to'])
const AUTOMATIC_HEADERS = new Set(['x-autoreply', 'x-autorespond', 'list-id'])
const MAX_MESSAGE_ID = 500

/** Parses a reply by email. Runs in a worker process. */
export async function parseReply(raw: string): Promise<ParsedReply> {
  const parser = new PostalMime({ maxNestingDepth: 10 })
  const { headers, messageId = '', text, html } = await parser.parse(raw)
  const headerOf = (name: string) =>
    headers
      .find(({ key }) => key === name)
      ?.value.trim()
      .toLowerCase() ?? ''
  const automatic = headerOf('auto-submitted')
  return {
    addresses: headers
      .filter(({ key }) => ADDRESS_HEADERS.has(key))
      .map(({ value }) => value)
      .join(' '),
    from: senderOf(headers.filter(({ key }) => key === 'from').map(({ value }) => value)),
    messageId: messageId.slice(0, MAX_MESSAGE_ID),
    isAutomatic:
      (automatic !== '' && automatic !== 'no') ||
      ['bulk', 'junk', 'list', 'auto_reply'].includes(headerOf('precedence')) ||
      headers.some(({ key }) => AUTOMATIC_HEADERS.has(key)),
    text: newTextOf(text?.trim() ? text : textOfHtml(html ?? '')),
  }
}

function senderOf(values: readonly string[]): string {
  const addresses = values.flatMap((value) => addressParser(value, { flatten: true }))
  return addresses.length === 1 ? (addresses[0]?.address ?? '').toLowerCase() : ''
}

const QUOTE_MARKS = ['<blockquote', 'gmail_quote', 'id="divrplyfwdmsg"', 'id="appendonsend"']

/** The text of the part of an HTML email that precedes the quoted one. */
function textOfHtml(html: string): string {
  const lower = html.toLowerCase()
  const ends = QUOTE_MARKS.map((mark) => lower.indexOf(mark)).filter((at) => at >= 0)
  const start = Math.max(0, lower.indexOf('<body'))
  return html
    .slice(start, ends.length > 0 ? lower.lastIndexOf('<', Math.min(...ends) + 1) : undefined)
    .replace(/<(?:br|\/p|\/div|\/li)[^<>]{0,200}>/gi, '\n')
    .replace(/<[^<>]{0,2000}>/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
