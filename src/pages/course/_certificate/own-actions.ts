import { claimCertificate } from '#lib/certificate/issue/claim.ts'
import { ClaimCertificate } from '#lib/certificate/issue/schema.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { formText } from '../../_request/form-actions.ts'

/** Form actions of the course page of a student; each returns the path to redirect to. */
export function ownCertificateActions(actor: Actor, courseId: string) {
  return {
    claimCertificate: async (form: FormData) => {
      const onPaper = form.has('address')
      const delivery = {
        recipient: formText(form, 'recipient'),
        phone: formText(form, 'phone'),
        address: formText(form, 'address'),
      }
      const input = { courseId, name: formText(form, 'name'), delivery: onPaper ? delivery : null }
      await claimCertificate(actor, ClaimCertificate.parse(input))
      return `/course/view/${courseId}?notice=${onPaper ? 'requested' : 'claimed'}#certificate`
    },
  }
}
