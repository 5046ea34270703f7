import type { APIRoute } from 'astro'
import { receiveReply } from '#lib/chat/reply/reply.ts'
import { config } from '#lib/core/config/config.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { requireMailServer } from './_mail-server.ts'

/**
 * Receives a reply to an email that was sent to MAIL_REPLY_ADDRESS. Without it and MAIL_REPORT_SECRET the endpoint does not
 * exist.
 */
export const POST: APIRoute = async ({ request }) => {
  if (!config.mailReplyAddress) throw new Refusal('not_found')
  requireMailServer(request)
  await receiveReply(new Uint8Array(await request.arrayBuffer()))
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
}
