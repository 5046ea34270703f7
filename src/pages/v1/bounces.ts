import { createHash, timingSafeEqual } from 'node:crypto'
import type { APIRoute } from 'astro'
import { config } from '#lib/core/config/config.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { receiveDeliveryReport } from '#lib/outbox/report/report.ts'

/**
 * Receives a report of a mail server that was sent to MAIL_RETURN_PATH. Without MAIL_REPORT_SECRET the endpoint does
 * not exist.
 */
export const POST: APIRoute = async ({ request }) => {
  if (!config.mailReportSecret) throw new Refusal('not_found')
  const [, secret = ''] = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '') ?? []
  if (!timingSafeEqual(hashOf(secret), hashOf(config.mailReportSecret))) throw new Refusal('unauthorized')
  await receiveDeliveryReport(await request.text())
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest()
