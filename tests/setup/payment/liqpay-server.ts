import { createHash } from 'node:crypto'
import { type ProviderServer, startProviderServer } from './provider-server.ts'

export const LIQPAY_KEYS = { publicKey: 'i00000000', privateKey: 'a4825234f4bae72a0be04eafe9e8e2bada209255' }

type Fields = Record<string, string | number>

export interface LiqpayServer extends ProviderServer {
  /** What is known about each order. */
  orders: Map<string, Fields>
  isDown: boolean
}

/** The signature of the vendor: base64 of SHA-1 over the data between two private keys. */
export function signLiqpay(data: string, privateKey = LIQPAY_KEYS.privateKey): string {
  return createHash('sha1').update(privateKey).update(data).update(privateKey).digest('base64')
}

/** A callback as LiqPay posts it to server_url. */
export function liqpayCallback(fields: Fields, privateKey?: string): string {
  const data = Buffer.from(JSON.stringify({ public_key: LIQPAY_KEYS.publicKey, version: 3, ...fields })).toString(
    'base64',
  )
  return new URLSearchParams({ data, signature: signLiqpay(data, privateKey) }).toString()
}

/** https://www.liqpay.ua/api/request: status, refund and unsubscribe. */
export async function startLiqpayServer(): Promise<LiqpayServer> {
  const orders = new Map<string, Fields>()
  const server: LiqpayServer = Object.assign(
    await startProviderServer('https://www.liqpay.ua', ({ path, body }) => {
      if (server.isDown) return { isCut: true }
      const form = new URLSearchParams(body)
      const data = form.get('data') ?? ''
      if (path !== '/api/request') return { status: 404 }
      if (form.get('signature') !== signLiqpay(data))
        return { json: { result: 'error', err_code: 'invalid_signature' } }
      return { json: answerRequest(JSON.parse(Buffer.from(data, 'base64').toString())) }
    }),
    { orders, isDown: false },
  )
  function answerRequest({
    public_key: publicKey,
    version,
    action,
    order_id: orderId,
    amount,
  }: Record<string, string>) {
    if (publicKey !== LIQPAY_KEYS.publicKey || Number(version) !== 3) return { result: 'error', err_code: 'err_access' }
    const order = orders.get(orderId ?? '')
    if (!order) return { result: 'error', status: 'error', err_code: 'payment_not_found' }
    if (action === 'refund') {
      const returned = Number(order.refund_amount ?? 0) + Number(amount)
      if (returned > Number(order.amount)) return { result: 'error', status: 'error', err_code: 'refund_amount' }
      Object.assign(order, {
        refund_amount: returned,
        status: returned === Number(order.amount) ? 'reversed' : order.status,
      })
      return { result: 'ok', order_id: orderId, status: 'reversed' }
    }
    if (action === 'unsubscribe') Object.assign(order, { status: 'unsubscribed' })
    return { result: 'ok', order_id: orderId, ...order }
  }
  return server
}
