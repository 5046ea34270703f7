import type { Tx } from '#lib/core/db/db.ts'
import { derivedId } from '#lib/core/db/id.ts'
import type { RegistrationEmail } from '#lib/core/shared/event/live-event.ts'
import { lockMessageState, planProgramMessage } from '#lib/outbox/create.ts'
import type { RegistrationEvent } from '../event.ts'

/**
 * The outbox message for the emails of a kind with the current schedule of an event. Its id is derived from
 * them, so that repeated runs of a job use the same message.
 */
export function messageIdOf(
  { id, sessionId, scheduleVersion }: Pick<RegistrationEvent, 'id' | 'sessionId' | 'scheduleVersion'>,
  kind: RegistrationEmail,
): string {
  return derivedId(`${id} ${sessionId} ${scheduleVersion} ${kind}`)
}

/**
 * Records in the outbox that an email of an event is planned for an instant, so that it can be viewed and held before.
 */
export function planEventMessage(tx: Tx, event: RegistrationEvent, kind: RegistrationEmail, sendAt: Date) {
  const { tenantId, id: objectId, title } = event
  const id = messageIdOf(event, kind)
  return planProgramMessage(tx, tenantId, { id, subject: title, template: kind, objectId, sendAt })
}

/**
 * Whether the emails of a kind may be sent: neither held nor recalled by staff. Locked until the end of the
 * transaction.
 */
export async function maySendMessage(tx: Tx, event: RegistrationEvent, kind: RegistrationEmail): Promise<boolean> {
  const state = await lockMessageState(tx, messageIdOf(event, kind))
  return state !== 'held' && state !== 'recalled'
}
