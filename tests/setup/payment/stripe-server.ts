import Stripe from 'stripe'
import { type ProviderServer, startProviderServer } from './provider-server.ts'

export const STRIPE_KEYS = {
  secretKey: 'sk_live_51KafedraSchool000000',
  webhookSecret: 'whsec_KafedraSchool0123456789',
}

type Fields = Record<string, unknown>

export interface StripeServer extends ProviderServer {
  sessions: Map<string, Fields>
  refunds: Map<string, Fields>
  isDown: boolean
}

/** A webhook with the signature that the vendor’s SDK makes for tests. */
export function stripeWebhook(
  type: string,
  object: Fields,
  { secret = STRIPE_KEYS.webhookSecret, livemode = true, ageSeconds = 0 } = {},
): { body: string; headers: Record<string, string> } {
  const body = JSON.stringify({ id: 'evt_1', object: 'event', type, livemode, data: { object } })
  const timestamp = Math.floor(Date.now() / 1000) - ageSeconds
  const header = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp })
  return { body, headers: { 'stripe-signature': header } }
}

/** https://api.stripe.com/v1: checkout sessions, payment intents, refunds and payment methods of customers. */
export async function startStripeServer(): Promise<StripeServer> {
  const sessions = new Map<string, Fields>()
  const refunds = new Map<string, Fields>()
  const server: StripeServer = Object.assign(
    await startProviderServer('https://api.stripe.com', ({ method, path, headers, body }) => {
      if (server.isDown) return { isCut: true }
      if (headers.authorization !== `Bearer ${STRIPE_KEYS.secretKey}`)
        return { status: 401, json: { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } } }
      const form = new URLSearchParams(body)
      if (path === '/v1/checkout/sessions' && method === 'POST') return { json: addSession(form) }
      if (path === '/v1/checkout/sessions') return { json: { object: 'list', data: [...sessions.values()] } }
      if (path.startsWith('/v1/checkout/sessions/')) return { json: sessions.get(path.split('/').at(-1) ?? '') ?? {} }
      if (path.endsWith('/payment_methods')) {
        const isKnown = path.includes('cus_saved')
        return { json: { object: 'list', data: isKnown ? [{ id: 'pm_1', object: 'payment_method' }] : [] } }
      }
      if (path === '/v1/payment_intents')
        return { json: { id: 'pi_charge', object: 'payment_intent', status: 'succeeded' } }
      if (path === '/v1/refunds') return refund(form, String(headers['idempotency-key']))
      return { status: 404, json: { error: { type: 'invalid_request_error', message: `no ${path}` } } }
    }),
    { sessions, refunds, isDown: false },
  )
  function addSession(form: URLSearchParams): Fields {
    const id = `cs_live_${sessions.size + 1}`
    const session = {
      id,
      object: 'checkout.session',
      url: `https://checkout.stripe.com/c/pay/${id}`,
      status: 'open',
      payment_status: 'unpaid',
      livemode: true,
      payment_intent: `pi_${sessions.size + 1}`,
      metadata: { reference: form.get('metadata[reference]') },
      amount_total: Number(form.get('line_items[0][price_data][unit_amount]')),
      currency: form.get('line_items[0][price_data][currency]'),
    }
    sessions.set(id, session)
    return session
  }
  function refund(form: URLSearchParams, key: string) {
    if (form.get('payment_intent') === 'pi_refused')
      return { status: 400, json: { error: { type: 'invalid_request_error', message: 'Charge has been disputed' } } }
    const made = refunds.get(key) ?? {
      id: `re_${refunds.size + 1}`,
      object: 'refund',
      status: 'succeeded',
      amount: Number(form.get('amount')),
    }
    refunds.set(key, made)
    return { json: made }
  }
  return server
}
