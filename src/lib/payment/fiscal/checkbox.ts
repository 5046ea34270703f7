import { getTranslator } from '#lib/core/i18n/i18n.ts'
import { parseJsonObject } from '#lib/core/shared/text/json.ts'
import { HOUR_MS } from '#lib/core/shared/time.ts'
import { instantOf, localDay } from '#lib/core/shared/time-zone.ts'
import { ProviderUnavailable } from '../provider.ts'
import { jsonOf, type ProviderResponse, requestProvider } from '../providers/request.ts'
import type { FiscalKeys, FiscalService, NewReceipt, ReceiptResult } from './fiscal-provider.ts'

const API_URL = 'https://api.checkbox.ua/api/v1'
/** Page of a receipt for the buyer. */
const RECEIPT_URL = 'https://check.checkbox.ua'
const CLIENT = { 'x-client-name': 'Kafedra', 'x-client-version': '1' }
const ZONE = 'Europe/Kyiv'
/** A shift lasts at most 24 hours; the law requires its report every day. */
const SHIFT_MS = 23 * HOUR_MS
const MAX_TITLE = 128
/** One piece: quantities are thousandths. */
const ONE_PIECE = 1000

interface Session {
  headers: Record<string, string>
}

/**
 * Checkbox (ПРРО): https://api.checkbox.ua/api/redoc. A cashier signs in with the license key of a cash register and a PIN,
 * opens a shift, which is closed at the end of the day, and sells or returns with an identifier of the client. Receipts and
 * shifts are completed asynchronously.
 */
export const checkbox: FiscalService = {
  name: 'checkbox',
  keyFields: [
    { name: 'licenseKey', isSecret: true, pattern: /^[A-Za-z0-9-]{10,100}$/ },
    { name: 'pinCode', isSecret: true, pattern: /^\d{4,20}$/ },
    { name: 'taxCode', isSecret: false, pattern: /^\d{1,4}$/, isOptional: true },
  ],
  register: async (keys, receipt, now) => {
    const session = await openSession(keys)
    if (!session) return { state: 'failed', failure: 'Checkbox does not accept the keys' }
    const known = receipt.isRepeated ? await readReceipt(session, receipt.id) : null
    if (known) return known
    if (!(await hasOpenShift(session, now))) return { state: 'waiting' }
    const response = await callCheckbox(session, '/receipts/sell', receiptOf(receipt, keys))
    return response.status < 400 ? checkboxResult(jsonOf(response)) : failedReceipt(response)
  },
  checkKeys: async (keys) => {
    const session = await openSession(keys)
    if (!session) return null
    const response = await callCheckbox(session, '/cash-registers/info')
    return response.status === 200 ? { isTest: jsonOf(response).is_test === true } : null
  },
}

async function openSession({ licenseKey = '', pinCode = '' }: FiscalKeys): Promise<Session | null> {
  const license = { 'x-license-key': licenseKey }
  const response = await callCheckbox({ headers: license }, '/cashier/signinPinCode', { pin_code: pinCode })
  if (response.status >= 400) return null
  const { access_token: token } = jsonOf(response)
  return typeof token === 'string' ? { headers: { ...license, authorization: `Bearer ${token}` } } : null
}

function callCheckbox({ headers }: Session, path: string, body?: object): Promise<ProviderResponse> {
  return requestProvider(`${API_URL}${path}`, {
    headers: { ...CLIENT, ...headers, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  })
}

// Fiscal receipts are in Ukrainian by law, whatever the language of the buyer.
const translateToUkrainian = getTranslator('uk')

/** Whether receipts can be registered now. Opens a shift, or closes one that is too old: both take some seconds. */
async function hasOpenShift(session: Session, now: Date): Promise<boolean> {
  const response = await callCheckbox(session, '/cashier/shift')
  // Without a shift the body is `null`.
  const shift = parseJsonObject(response.text)
  if (shift?.status === 'OPENED') {
    const openedAt = Date.parse(String(shift.opened_at))
    if (Number.isNaN(openedAt) || now.getTime() - openedAt < SHIFT_MS) return true
    await callCheckbox(session, '/shifts/close', {})
    return false
  }
  if (!shift || shift.status === 'CLOSED') {
    const closeAt = instantOf(localDay(now, ZONE), '23:55', ZONE)
    await callCheckbox(session, '/shifts', closeAt > now ? { auto_close_at: closeAt.toISOString() } : {})
  }
  return false
}

function receiptOf({ id, kind, amount, title, relatedId }: NewReceipt, { taxCode }: FiscalKeys): object {
  const isReturn = kind === 'return'
  const good = {
    code: 'course',
    name: title.slice(0, MAX_TITLE),
    price: amount,
    ...(taxCode && { tax: [Number(taxCode)] }),
  }
  return {
    id,
    goods: [{ good, quantity: ONE_PIECE, is_return: isReturn }],
    payments: [{ type: 'CASHLESS', value: amount, label: translateToUkrainian('payment:fiscal.paymentLabel') }],
    ...(isReturn && relatedId && { related_receipt_id: relatedId }),
  }
}

async function readReceipt(session: Session, id: string): Promise<ReceiptResult | null> {
  const response = await callCheckbox(session, `/receipts/${id}`)
  if (response.status === 404) return null
  if (response.status >= 400) throw new ProviderUnavailable(`Checkbox answered ${response.status}`)
  return checkboxResult(jsonOf(response))
}

function checkboxResult({ id, status, fiscal_code: fiscalCode }: Record<string, unknown>): ReceiptResult {
  if (status === 'DONE' && typeof id === 'string' && typeof fiscalCode === 'string')
    return { state: 'done', fiscalCode: fiscalCode.slice(0, 100), url: `${RECEIPT_URL}/${encodeURIComponent(id)}` }
  return status === 'ERROR' ? { state: 'failed', failure: 'Checkbox: ERROR' } : { state: 'waiting' }
}

function failedReceipt({ status, text }: ProviderResponse): ReceiptResult {
  const { code, message } = parseJsonObject(text) ?? {}
  // The shift was closed meanwhile, or too many receipts were sent: the next attempt succeeds.
  if (status === 429 || code === 'shift.not_opened') return { state: 'waiting' }
  return { state: 'failed', failure: `Checkbox: ${typeof message === 'string' ? message : status}`.slice(0, 300) }
}
