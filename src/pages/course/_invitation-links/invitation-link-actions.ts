import { readDay } from '#lib/core/http/form-date.ts'
import type { Actor } from '#lib/core/shared/actor.ts'
import { instantOf } from '#lib/core/shared/time-zone.ts'
import { createInvitationLink, revokeInvitationLink } from '#lib/course/invitation-link/invitation-link.ts'
import { CreateInvitationLink } from '#lib/course/invitation-link/schema.ts'
import { idOf } from '../_id.ts'
import { textOf } from '../_transfer/posted.ts'

/** Form actions of the invitation links of a course or a group; `pathAfter` returns the path to show next. */
export function invitationLinkActions(
  actor: Actor,
  findTarget: () => Promise<{ courseId: string; groupId: string | null }>,
  pathAfter: (notice: 'linkCreated' | 'linkRevoked') => string,
) {
  return {
    createInvitationLink: async (form: FormData) => {
      const day = readDay(form, 'expiresAt', actor.tenantTimeZone)
      const maxUses = textOf(form, 'maxUses').trim()
      await createInvitationLink(
        actor,
        CreateInvitationLink.parse({
          linkId: idOf(textOf(form, 'linkId')),
          ...(await findTarget()),
          label: textOf(form, 'label'),
          maxUses: maxUses === '' ? null : Number(maxUses),
          emailDomain: textOf(form, 'emailDomain').trim() || null,
          expiresAt: day && instantOf(day, '23:59', actor.tenantTimeZone).toISOString(),
        }),
      )
      return pathAfter('linkCreated')
    },
    revokeInvitationLink: async (form: FormData) => {
      await revokeInvitationLink(actor, { linkId: idOf(textOf(form, 'linkId')) })
      return pathAfter('linkRevoked')
    },
  }
}
