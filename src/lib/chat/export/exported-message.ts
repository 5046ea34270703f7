/** A message in an export. */
export interface ExportedMessage extends Record<string, unknown> {
  seq: number
  author: string
  sentAt: string
  editedAt: string | null
  deletedAt: string | null
  replyToSeq: number | null
  /** The author of the message that was forwarded. */
  forwardedFrom: string | null
  body: string
  files: { id: string; name: string; path: string }[]
}
