import { createHmac } from 'node:crypto'
import { type ProviderServer, startProviderServer } from './provider-server.ts'

export const WAYFORPAY_KEYS = { merchantAccount: 'school_shop', secretKey: 'flk3409refn54t54t*FNJRET' }

type Fields = Record<string, string | number>

export interface WayforpayServer extends ProviderServer {
  transactions: Map<string, Fields>
  isDown: boolean
}

/** HMAC-MD5 of values joined by semicolons. */
export function signWayforpay(values: readonly unknown[], secretKey = WAYFORPAY_KEYS.secretKey): string {
  return createHmac('md5', secretKey).update(values.map(String).join(';')).digest('hex')
}

/** What WayForPay reports about a transaction, signed. */
export function wayforpayReport(fields: Fields, secretKey?: string): Fields {
  const report: Fields = {
    merchantAccount: WAYFORPAY_KEYS.merchantAccount,
    authCode: '541963',
    cardPan: '41****8217',
    reason: 'Ok',
    reasonCode: 1100,
    fee: 0,
    paymentSystem: 'card',
    ...fields,
  }
  const { merchantAccount, orderReference, amount, currency, authCode, cardPan, transactionStatus, reasonCode } = report
  const signed = [merchantAccount, orderReference, amount, currency, authCode, cardPan, transactionStatus, reasonCode]
  return { ...report, merchantSignature: signWayforpay(signed, secretKey) }
}

/** https://api.wayforpay.com/api: CHECK_STATUS, REFUND and CHARGE. */
export async function startWayforpayServer(): Promise<WayforpayServer> {
  const transactions = new Map<string, Fields>()
  const server: WayforpayServer = Object.assign(
    await startProviderServer('https://api.wayforpay.com', ({ path, body }) =>
      server.isDown ? { status: 502 } : path === '/api' ? { json: answerRequest(JSON.parse(body)) } : { status: 404 },
    ),
    { transactions, isDown: false },
  )
  function answerRequest(request: Record<string, string>): Fields {
    const { transactionType, merchantAccount, orderReference = '', amount = '', currency = '' } = request
    const known = transactions.get(orderReference)
    if (request.merchantSignature !== signWayforpay(signedValues(request)))
      return { reason: 'Invalid signature', reasonCode: 1113 }
    if (transactionType === 'CHARGE') {
      const isRefused = request.recToken !== 'saved-card'
      const transactionStatus = isRefused ? 'Declined' : 'Approved'
      const answer = wayforpayReport({
        orderReference,
        amount,
        currency,
        transactionStatus,
        ...(isRefused && { reasonCode: 1116, reason: 'Token not found' }),
      })
      transactions.set(orderReference, { amount, currency, transactionStatus })
      return answer
    }
    if (!known) return { reason: 'Order not found', reasonCode: 1127 }
    if (transactionType === 'CHECK_STATUS') return wayforpayReport({ orderReference, ...known })
    const transactionStatus = Number(amount) > Number(known.amount) ? 'Declined' : 'Refunded'
    if (transactionStatus === 'Refunded')
      transactions.set(orderReference, { ...known, transactionStatus, refundAmount: Number(amount) })
    return { merchantAccount: merchantAccount ?? '', orderReference, transactionStatus, reason: 'Ok', reasonCode: 1100 }
  }
  return server
}

function signedValues(request: Record<string, unknown>): unknown[] {
  const { transactionType, merchantAccount, merchantDomainName, orderReference, orderDate, amount, currency } = request
  if (transactionType === 'CHECK_STATUS') return [merchantAccount, orderReference]
  if (transactionType === 'REFUND') return [merchantAccount, orderReference, amount, currency]
  const { productName, productCount, productPrice } = request
  const order = [merchantAccount, merchantDomainName, orderReference, orderDate, amount, currency]
  return [...order, productName, productCount, productPrice].flat()
}
