import type { Tx } from '#lib/core/db/db.ts'
import type { DeliveryResult, DueMessage } from '../delivery/delivery-result.ts'

export async function sendPush(_tx: Tx, _message: DueMessage): Promise<DeliveryResult> {
  return { outcome: 'skipped' }
}
