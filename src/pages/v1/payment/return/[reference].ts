import type { APIRoute } from 'astro'
import { findPaymentByReference } from '#lib/payment/start.ts'

/** The return URL of providers, some of which post a form: redirects to the page that waits for the outcome. */
const lead: APIRoute = async ({ params }) => {
  const { returnUrl } = await findPaymentByReference(params.reference ?? '')
  return new Response(null, { status: 303, headers: { location: returnUrl, 'cache-control': 'no-store' } })
}
export const GET = lead
export const POST = lead
