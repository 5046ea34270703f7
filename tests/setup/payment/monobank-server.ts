import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { type ProviderServer, startProviderServer } from './provider-server.ts'

export const MONOBANK_KEYS = { token: 'uZf-3lRb2xGJhTnQ4vYw6pKd8sMc1aEo' }

interface Cancellation {
  status: string
  amount: number
  extRef: string
}
interface Invoice {
  invoiceId: string
  status: string
  amount: number
  ccy: number
  reference: string
  cancelList: Cancellation[]
  walletData?: { cardToken: string; walletId: string; status: string }
  failureReason?: string
}

export interface MonobankServer extends ProviderServer {
  invoices: Map<string, Invoice>
  isDown: boolean
  /** The bank replaces its key. */
  changeKey(): void
  /** The webhook about an invoice: its body and headers. */
  webhook(invoice: Partial<Invoice>): { body: string; headers: Record<string, string> }
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })

/** A body with the signature of its X-Sign header. */
function signMonobank(body: string, privateKey: KeyObject): string {
  return createSign('sha256').update(body).sign(privateKey, 'base64')
}

/** https://api.monobank.ua/api/merchant: invoices, wallet and the public key of the merchant. */
export async function startMonobankServer(): Promise<MonobankServer> {
  const invoices = new Map<string, Invoice>()
  let keys = newKeys()
  const server: MonobankServer = Object.assign(
    await startProviderServer('https://api.monobank.ua', ({ path, query, headers, body }) => {
      if (server.isDown) return { isCut: true }
      if (headers['x-token'] !== MONOBANK_KEYS.token)
        return { status: 403, json: { errCode: 'FORBIDDEN', errText: 'forbidden' } }
      if (path === '/api/merchant/pubkey') return { json: { key: encodedKey(keys.publicKey) } }
      if (path === '/api/merchant/invoice/status') return found(invoices.get(query.get('invoiceId') ?? ''))
      return answerPost(path, JSON.parse(body))
    }),
    {
      invoices,
      isDown: false,
      changeKey: () => {
        keys = newKeys()
      },
      webhook: (invoice: Partial<Invoice>) => {
        const body = JSON.stringify({ ccy: 980, cancelList: [], ...invoice })
        return { body, headers: { 'x-sign': signMonobank(body, keys.privateKey) } }
      },
    },
  )
  function answerPost(path: string, request: Record<string, unknown>) {
    if (path === '/api/merchant/invoice/create') {
      const invoice = addInvoice(request, 'created')
      return { json: { invoiceId: invoice.invoiceId, pageUrl: `https://pay.mbnk.biz/${invoice.invoiceId}` } }
    }
    if (path === '/api/merchant/wallet/payment') {
      const isKnown = request.cardToken === 'saved-card' && request.initiationKind === 'merchant'
      const invoice = addInvoice(request, isKnown ? 'success' : 'failure')
      return { json: { ...invoice, ...(!isKnown && { failureReason: 'Картку не знайдено' }) } }
    }
    if (path === '/api/merchant/invoice/cancel') return cancel(request)
    return { status: 404, json: {} }
  }
  function addInvoice({ amount, ccy, merchantPaymInfo }: Record<string, unknown>, status: string): Invoice {
    const { reference } = merchantPaymInfo as { reference: string }
    const invoiceId = `p2_${invoices.size + 1}`
    const invoice = { invoiceId, status, amount: Number(amount), ccy: Number(ccy), reference, cancelList: [] }
    invoices.set(invoiceId, invoice)
    return invoice
  }
  function cancel({ invoiceId, extRef, amount }: Record<string, unknown>) {
    const invoice = invoices.get(String(invoiceId))
    if (!invoice) return { status: 404, json: { errCode: 'NOT_FOUND', errText: 'invoice not found' } }
    const isKnown = invoice.cancelList.some((entry) => entry.extRef === extRef)
    if (!isKnown) invoice.cancelList.push({ status: 'success', amount: Number(amount), extRef: String(extRef) })
    const returned = invoice.cancelList.reduce((sum, entry) => sum + entry.amount, 0)
    if (returned > invoice.amount) return { status: 400, json: { errCode: 'INVALID_AMOUNT', errText: 'amount' } }
    if (returned === invoice.amount) invoice.status = 'reversed'
    return { json: { status: 'success' } }
  }
  return server
}

const encodedKey = (key: KeyObject): string =>
  Buffer.from(key.export({ type: 'spki', format: 'pem' }).toString()).toString('base64')

const found = (invoice: Invoice | undefined) =>
  invoice ? { json: invoice } : { status: 404, json: { errCode: 'NOT_FOUND', errText: 'invoice not found' } }
