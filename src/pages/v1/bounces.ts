import type { APIRoute } from 'astro'
import { receiveDeliveryReport } from '#lib/outbox/report/report.ts'
import { requireMailServer } from './_mail-server.ts'

/**
 * Receives a report of a mail server that was sent to MAIL_RETURN_PATH. Without MAIL_REPORT_SECRET the endpoint does
 * not exist.
 */
export const POST: APIRoute = async ({ request }) => {
  requireMailServer(request)
  await receiveDeliveryReport(new Uint8Array(await request.arrayBuffer()))
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
}
