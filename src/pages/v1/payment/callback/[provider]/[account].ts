import type { APIRoute } from 'astro'
import { handleCallback } from '#lib/payment/callback.ts'
import { paymentPurposes } from '#lib/payments.ts'

/** Callbacks of payment providers; `account` is the tenant whose keys sign them, or `installation`. */
export const POST: APIRoute = async ({ params, request }) => {
  const { provider = '', account = '' } = params
  const callback = { provider, account, body: await request.text(), headers: request.headers }
  const { status, type, body } = await handleCallback(paymentPurposes, callback)
  return new Response(body, { status, headers: { 'content-type': type, 'cache-control': 'no-store' } })
}
