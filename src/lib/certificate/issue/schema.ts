import { z } from 'zod'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'

const id = z.uuid()

/** The name on a certificate. */
const PrintedName = textLine(160).min(1, 'required')

const DeliveryFields = z.object({
  recipient: textLine(160).min(1, 'required'),
  phone: textLine(40).min(1, 'required'),
  address: multilineText(500).min(1, 'required'),
})

export const CourseRef = z.object({ courseId: id })
const CertificateId = z.object({ certificateId: id })
/** `delivery` is required for a certificate on paper. */
export const ClaimCertificate = CourseRef.extend({
  name: PrintedName,
  delivery: DeliveryFields.nullable().default(null),
})
export type ClaimCertificate = z.output<typeof ClaimCertificate>

export const IssueCertificates = CourseRef.extend({ studentIds: z.array(id).min(1).max(500) })
export const ReissueCertificate = CertificateId.extend({ name: PrintedName, note: textLine(300).default('') })
export type ReissueCertificate = z.output<typeof ReissueCertificate>
export const RevokeCertificate = CertificateId.extend({ reason: textLine(500).min(1, 'required') })
export type RevokeCertificate = z.output<typeof RevokeCertificate>
