import PostalMime from 'postal-mime'
import { parseReportFields, type ReportedRecipient } from './report-fields.ts'

export interface ParsedReport {
  /** All addresses to which the report was sent, as text. */
  addresses: string
  recipients: ReportedRecipient[]
}

const ADDRESS_HEADERS = new Set(['to', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to'])

/** Parses a report message (RFC 3464). Runs in a worker process. */
export async function parseReport(raw: string): Promise<ParsedReport> {
  const parser = new PostalMime({ attachmentEncoding: 'utf8', maxNestingDepth: 10 })
  const { headers, attachments } = await parser.parse(raw)
  const addresses = headers.filter(({ key }) => ADDRESS_HEADERS.has(key)).map(({ value }) => value)
  const status = attachments.find(({ mimeType }) => mimeType === 'message/delivery-status')
  return { addresses: addresses.join(' '), recipients: parseReportFields(contentText(status?.content)) }
}

function contentText(content: string | ArrayBuffer | Uint8Array | undefined): string {
  return typeof content === 'string' || content === undefined ? (content ?? '') : new TextDecoder().decode(content)
}
