import { type ProviderReply, type ProviderServer, startProviderServer } from './provider-server.ts'

export const CHECKBOX_KEYS = { licenseKey: 'test1ea7f100df623647e5657a20', pinCode: '5133377032' }
const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.cashier'

interface Good {
  good: { code: string; name: string; price: number; tax?: number[] }
  quantity: number
  is_return: boolean
}
export interface CheckboxReceipt {
  id: string
  type: 'SELL' | 'RETURN'
  status: 'CREATED' | 'DONE' | 'ERROR'
  fiscal_code: string | null
  total_sum: number
  related_receipt_id: string | null
}
interface SellPayload {
  id: string
  goods: Good[]
  payments: { type: string; value: number }[]
  related_receipt_id?: string | null
}

export interface CheckboxServer extends ProviderServer {
  receipts: Map<string, CheckboxReceipt>
  shift: { id: string; status: 'CREATED' | 'OPENED' | 'CLOSING'; opened_at: string; auto_close_at?: string } | null
  isDown: boolean
  /** The connection is cut after the next receipt was stored. */
  losesAnswer: boolean
  /** New receipts and shifts are completed when they are read next, as the real service does within seconds. */
  isAsynchronous: boolean
}

const error = (status: number, code: string, message: string): ProviderReply => ({ status, json: { code, message } })

/**
 * https://api.checkbox.ua/api/v1: sign-in of a cashier by PIN, shifts, receipts of sales and returns. A receipt needs an open
 * shift and payments that add up to its goods; a return names the receipt of its sale; an id is used once.
 */
export async function startCheckboxServer(): Promise<CheckboxServer> {
  const receipts = new Map<string, CheckboxReceipt>()
  const server: CheckboxServer = Object.assign(
    await startProviderServer('https://api.checkbox.ua', ({ method, path, headers, body }) => {
      if (server.isDown) return { isCut: true }
      const route = `${method} ${path.replace('/api/v1', '')}`
      if (headers['x-client-name'] === undefined || headers['x-license-key'] !== CHECKBOX_KEYS.licenseKey)
        return error(403, 'license.unknown', 'Невірний ключ ліцензії')
      if (route === 'POST /cashier/signinPinCode')
        return JSON.parse(body).pin_code === CHECKBOX_KEYS.pinCode
          ? { json: { type: 'bearer', token_type: 'bearer', access_token: TOKEN } }
          : error(403, 'cashier.wrong_pin', 'Невірний пін код')
      if (headers.authorization !== `Bearer ${TOKEN}`) return error(401, 'unauthorized', 'Не авторизовано')
      if (route === 'GET /cash-registers/info')
        return { json: { id: 'c1', fiscal_number: 'TEST462432', is_test: true, has_shift: server.shift !== null } }
      if (route === 'GET /cashier/shift') return currentShift()
      if (route === 'POST /shifts') return openShift(JSON.parse(body))
      if (route === 'POST /shifts/close') {
        server.shift = null
        return { status: 202, json: { status: 'CLOSING' } }
      }
      if (route === 'POST /receipts/sell') return sell(JSON.parse(body))
      if (route.startsWith('GET /receipts/')) return readReceipt(path.split('/').at(-1) ?? '')
      return error(404, 'not_found', route)
    }),
    { receipts, shift: null as CheckboxServer['shift'], isDown: false, losesAnswer: false, isAsynchronous: false },
  )
  function currentShift(): ProviderReply {
    if (server.shift?.status === 'CREATED') server.shift.status = 'OPENED'
    return { json: server.shift }
  }
  function openShift({ auto_close_at }: { auto_close_at?: string }): ProviderReply {
    if (server.shift) return error(400, 'shift.already_opened', 'Касир вже працює з зміною')
    server.shift = {
      id: crypto.randomUUID(),
      status: 'CREATED',
      opened_at: new Date().toISOString(),
      ...(auto_close_at !== undefined && { auto_close_at }),
    }
    return { status: 202, json: server.shift }
  }
  function sell({ id, goods, payments, related_receipt_id: relatedId = null }: SellPayload): ProviderReply {
    if (server.shift?.status !== 'OPENED') return error(400, 'shift.not_opened', 'Зміну не відкрито')
    if (receipts.has(id)) return error(422, 'receipt.exists', 'Чек з таким id вже існує')
    const total = goods.reduce((sum, { good, quantity }) => sum + (good.price * quantity) / 1000, 0)
    if (total !== payments.reduce((sum, { value }) => sum + value, 0))
      return error(422, 'receipt.payments', 'Сума оплат не дорівнює сумі чека')
    if (goods.some(({ good }) => good.name.length > 128)) return error(422, 'good.name', 'Задовга назва')
    const isReturn = goods.every((good) => good.is_return)
    if (isReturn && receipts.get(relatedId ?? '')?.status !== 'DONE')
      return error(422, 'receipt.related', 'Чек продажу не знайдено')
    const receipt: CheckboxReceipt = {
      id,
      type: isReturn ? 'RETURN' : 'SELL',
      status: server.isAsynchronous ? 'CREATED' : 'DONE',
      fiscal_code: server.isAsynchronous ? null : `TEST-${receipts.size + 1}`,
      total_sum: total,
      related_receipt_id: relatedId,
    }
    receipts.set(id, receipt)
    if (server.losesAnswer) {
      server.losesAnswer = false
      return { isCut: true }
    }
    return { status: 201, json: receipt }
  }
  function readReceipt(id: string): ProviderReply {
    const receipt = receipts.get(id)
    if (!receipt) return error(404, 'receipt.not_found', 'Чек не знайдено')
    if (receipt.status === 'CREATED') Object.assign(receipt, { status: 'DONE', fiscal_code: `TEST-${receipts.size}` })
    return { json: receipt }
  }
  return server
}
