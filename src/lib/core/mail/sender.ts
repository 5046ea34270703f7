/** The sender of a tenant's emails: for the headers and the design of the email. */
export interface EmailSender {
  name: string
  /** Address for replies, or null for the address of the installation. */
  replyTo: string | null
  /** The brand color with corrected contrast, or null. */
  color: { day: { primary: string; primaryContent: string }; night: { primary: string; primaryContent: string } } | null
  /** Absolute URL of the logo, or null. */
  logoUrl: string | null
}

export type ReadEmailSender = (tenantId: string) => Promise<EmailSender | null>
