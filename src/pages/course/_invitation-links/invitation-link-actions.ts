import { readDay } from '#lib/core/http/form-date.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { instantOf } from '#lib/core/shared/time-zone.ts'
import { createInvitationLink, revokeInvitationLink } from '#lib/course/invitation-link/invitation-link.ts'
import { CreateInvitationLink } from '#lib/course/invitation-link/schema.ts'
import { formText } from '../../_request/form-actions.ts'
import { parseId } from '../../_request/id-param.ts'

/** Form actions of the invitation links of a course or a group; `pathAfter` returns the path to show next. */
export function invitationLinkActions(
  actor: Actor,
  findTarget: () => Promise<{ courseId: string; groupId: string | null }>,
  pathAfter: (notice: 'linkCreated' | 'linkRevoked') => string,
) {
  return {
    createInvitationLink: async (form: FormData) => {
      const day = readDay(form, 'expiresAt', actor.tenantTimeZone)
      const maxUses = formText(form, 'maxUses').trim()
      await createInvitationLink(
        actor,
        CreateInvitationLink.parse({
          linkId: parseId(formText(form, 'linkId')),
          ...(await findTarget()),
          label: formText(form, 'label'),
          maxUses: maxUses === '' ? null : Number(maxUses),
          emailDomain: formText(form, 'emailDomain').trim() || null,
          expiresAt: day && instantOf(day, '23:59', actor.tenantTimeZone).toISOString(),
        }),
      )
      return pathAfter('linkCreated')
    },
    revokeInvitationLink: async (form: FormData) => {
      await revokeInvitationLink(actor, { linkId: parseId(formText(form, 'linkId')) })
      return pathAfter('linkRevoked')
    },
  }
}
