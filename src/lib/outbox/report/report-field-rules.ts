/** The fields of a report about one recipient (RFC 3464, 2.3). */
export interface ReportedRecipient {
  action: string
  /** The extended status code, e.g. `5.1.1`. */
  status: string
  /** The reply of the receiving server. */
  diagnostic: string
}

const MAX_RECIPIENTS = 10
const MAX_DIAGNOSTIC = 400

/** The recipients of a `message/delivery-status` part: groups of fields, separated by empty lines. */
export function parseReportFields(text: string): ReportedRecipient[] {
  const groups = text
    .replaceAll('\r', '')
    // A folded field continues on lines that start with a blank.
    .replace(/\n[ \t]+/g, ' ')
    .split(/\n{2,}/)
    .map(groupFields)
  return groups
    .filter((fields) => fields.has('action') || fields.has('status'))
    .slice(0, MAX_RECIPIENTS)
    .map((fields) => ({
      action: (fields.get('action') ?? '').toLowerCase(),
      status: fields.get('status') ?? '',
      diagnostic: (fields.get('diagnostic-code') ?? '').slice(0, MAX_DIAGNOSTIC),
    }))
}

function groupFields(group: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of group.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return fields
}
