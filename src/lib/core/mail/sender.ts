/** Who sends an email of a tenant: for the headers and the look of the email. */
export interface EmailSender {
  name: string
  /** Address for replies, or null for the installation's. */
  replyTo: string | null
  /** The brand colour with corrected contrast, or null. */
  color: { day: { primary: string; primaryContent: string }; night: { primary: string; primaryContent: string } } | null
  /** Absolute URL of the logo, or null. */
  logoUrl: string | null
}

export type ReadEmailSender = (tenantId: string) => Promise<EmailSender | null>
