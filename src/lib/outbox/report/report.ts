import { Refusal } from '#lib/core/http/refusal.ts'
import { setReportedStatus } from '#lib/core/mail/mail.ts'
import { findReturnedMail } from '#lib/core/mail/return-path.ts'
import { workerTask } from '#lib/core/worker/pool.ts'
import { findTenantIds } from '#lib/tenant/tenant.ts'
import type { parseReport } from './worker.ts'

/** Larger reports contain the complete email, which is not needed. */
const MAX_REPORT_BYTES = 512_000

const parseInWorker = workerTask<typeof parseReport>({
  file: 'src/lib/outbox/report/worker.ts',
  name: 'parseReport',
  lane: 'request',
  limitMs: 5000,
  field: 'report',
})

/**
 * Applies a report of a mail server about an email of this installation, which its return path names: the state of the
 * email becomes delivered, bounced (triggers mark the address of the student) or failed. Repeated reports, reports
 * about other emails and reports without a change are ignored. Refuses with too_large, unprocessable
 * (parse_too_complex), too_many (parse_busy).
 */
export async function receiveDeliveryReport(raw: Uint8Array | string): Promise<void> {
  if (raw.length > MAX_REPORT_BYTES) throw new Refusal('too_large')
  const { addresses, result } = await parseInWorker(raw)
  const returned = findReturnedMail(addresses)
  if (!returned || !result) return
  const { mailId, tenantPrefix } = returned
  const { outcome, isAddressFailure, reply } = result
  const status = outcome === 'delivered' ? 'delivered' : isAddressFailure ? 'bounced' : 'failed'
  for (const tenantId of tenantPrefix === null ? [null] : await findTenantIds(tenantPrefix)) {
    await setReportedStatus({ tenantId, mailId }, status, reply)
  }
}
