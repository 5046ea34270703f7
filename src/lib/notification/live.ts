import { Refusal } from '#lib/core/http/refusal.ts'
import type { Channels } from '#lib/core/live/endpoint.ts'
import { allow } from '#lib/core/shared/verdict.ts'

/** `notification:{memberId}` tells a member that their list or its unread number has changed. */
export const notificationChannels: Channels = {
  notification: {
    canSubscribe: (actor, [memberId]) => {
      if (memberId !== actor.membershipId) throw new Refusal('not_found')
      return allow('own_notifications')
    },
  },
}
