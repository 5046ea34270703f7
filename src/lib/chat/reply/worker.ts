import PostalMime, { type Attachment, addressParser, type Email } from 'postal-mime'
import { textOfHtml } from '#lib/core/mail/inbound/html-text.ts'
import { MAX_HEADER_BYTES, MAX_NESTING } from '#lib/core/mail/inbound/limits.ts'
import { findFlowedFormat, joinFlowedLines, withFixedFormat } from './flowed.ts'
import { newTextOf } from './rules.ts'

export interface ReplyFile {
  name: string
  content: Uint8Array
}

export interface ParsedReply {
  /** All addresses to which the reply was sent, as text. */
  addresses: string
  /** The address of the sender, in lower case; empty when there is not exactly one. */
  from: string
  /** The Message-ID; empty without one. */
  messageId: string
  /** An automatic response, a delivery report or a message of a mailing list. */
  isAutomatic: boolean
  /** Values of Authentication-Results, in the order of the email. */
  results: string[]
  /** What the sender has written, without the quoted email. */
  text: string
  files: ReplyFile[]
}

const ADDRESS_HEADERS = new Set(['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to'])
const AUTOMATIC_HEADERS = new Set(['x-autoreply', 'x-autorespond', 'list-id'])
const MAX_MESSAGE_ID = 500
const MAX_RESULTS = 10
const MAX_TEXT = 200_000
/** Parts that are no files of the person: signatures of the email, and its own status. */
const IGNORED_TYPES = /^application\/(?:pgp-|pkcs7-|x-pkcs7-|ms-tnef)|^message\//

/** Parses a reply by email. Runs in a worker process. Content above the limits is an error that refuses the email. */
export async function parseReply(source: Uint8Array | string): Promise<ParsedReply> {
  const raw = typeof source === 'string' ? new TextEncoder().encode(source) : source
  const email = await parseEmail(raw)
  const { headers, messageId = '', text = '', html = '' } = email
  const valuesOf = (key: string) => headers.filter((header) => header.key === key).map(({ value }) => value)
  const first = (key: string) => valuesOf(key)[0]?.trim().toLowerCase() ?? ''
  const automatic = first('auto-submitted')
  const hasText = text.trim() !== ''
  return {
    addresses: headers
      .filter(({ key }) => ADDRESS_HEADERS.has(key))
      .map(({ value }) => value)
      .join(' '),
    from: senderOf(valuesOf('from')),
    messageId: messageId.slice(0, MAX_MESSAGE_ID),
    isAutomatic:
      (automatic !== '' && automatic !== 'no') ||
      ['bulk', 'junk', 'list', 'auto_reply'].includes(first('precedence')) ||
      headers.some(({ key }) => AUTOMATIC_HEADERS.has(key)),
    results: valuesOf('authentication-results').slice(0, MAX_RESULTS),
    text: newTextOf((hasText ? unwrapped(text, raw) : textOfHtml(html)).slice(0, MAX_TEXT)),
    files: email.attachments.filter((part) => isFileOf(part, html)).map(toFile),
  }
}

async function parseEmail(raw: Uint8Array): Promise<Email> {
  const parse = (bytes: Uint8Array) =>
    new PostalMime({
      attachmentEncoding: 'arraybuffer',
      maxNestingDepth: MAX_NESTING,
      maxHeadersSize: MAX_HEADER_BYTES,
      forceRfc822Attachments: true,
    }).parse(withFixedFormat(withWiderCharset(bytes)))
  const email = await parse(raw)
  if (!`${email.text ?? ''}${email.html ?? ''}`.includes('\ufffd')) return email
  // A program that names no encoding or a wrong one: only the encodings that are used here come into question.
  const again = await parse(new TextEncoder().encode(new TextDecoder(encodingOf(raw)).decode(raw)))
  return `${again.text ?? ''}${again.html ?? ''}`.includes('\ufffd')
    ? email
    : { ...again, attachments: email.attachments }
}

/** Text that is named ASCII and is none is read as UTF-8, so that its letters are recognized as wrong ones. */
function withWiderCharset(raw: Uint8Array): Uint8Array {
  if (raw.every((byte) => byte < 0x80)) return raw
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1')
  return Buffer.from(text.replace(/(;[ \t\r\n]{0,20}charset="?)us-ascii/gi, '$1utf-8'), 'latin1')
}

/** In KOI8 the capital and small letters of Windows-1251 have changed places: most letters of a text are small. */
function encodingOf(raw: Uint8Array): 'windows-1251' | 'koi8-u' {
  let upper = 0
  let lower = 0
  for (const byte of raw) {
    if (byte >= 0xe0) lower += 1
    else if (byte >= 0xc0) upper += 1
  }
  return upper > lower ? 'koi8-u' : 'windows-1251'
}

/** Paragraphs that the program of the sender has broken into lines, in one line each. */
function unwrapped(text: string, raw: Uint8Array): string {
  const format = findFlowedFormat(raw)
  return format ? joinFlowedLines(text, format) : text
}

function senderOf(values: readonly string[]): string {
  const addresses = values.flatMap((value) => addressParser(value, { flatten: true }))
  return addresses.length === 1 ? (addresses[0]?.address ?? '').toLowerCase() : ''
}

/** Pictures that only the quoted email shows are no files of the person. */
function isFileOf({ mimeType, disposition, contentId, related }: Attachment, html: string): boolean {
  if (IGNORED_TYPES.test(mimeType)) return false
  if (!related || disposition === 'attachment' || !contentId) return true
  const shown = html.indexOf(`cid:${contentId.replace(/^<|>$/g, '')}`)
  const quote = html.search(/<blockquote|gmail_quote|yahoo_quoted|divRplyFwdMsg|border-top:solid/i)
  return shown < 0 || quote < 0 || shown < quote
}

function toFile({ filename, mimeType, content }: Attachment, index: number): ReplyFile {
  const extension = /^[a-z]+\/([a-z0-9]{2,5})$/.exec(mimeType)?.[1] ?? 'bin'
  return {
    name: filename?.trim() || `${index + 1}.${extension}`,
    content: typeof content === 'string' ? new TextEncoder().encode(content) : new Uint8Array(content),
  }
}
