import type { KeyField } from '../provider.ts'
import type { FiscalKeyName, FiscalServiceName, ReceiptKind } from './schema.ts'

export type FiscalKeys = Readonly<Partial<Record<FiscalKeyName, string>>>

/** A receipt to register. */
export interface NewReceipt {
  id: string
  kind: ReceiptKind
  /** Kopiykas. */
  amount: number
  /** What is sold. */
  title: string
  /** The receipt of the sale, for a return. */
  relatedId: string | null
  /** It was sent before: the service is asked for it first. */
  isRepeated: boolean
}

/** `waiting`: the service decides later, or its shift is being opened. */
export type ReceiptResult =
  | { state: 'done'; fiscalCode: string; url: string }
  | { state: 'waiting' }
  | { state: 'failed'; failure: string }

/** One interface for all services that register fiscal receipts. Its functions are never called in a transaction. */
export interface FiscalService {
  name: FiscalServiceName
  /** Their labels are `payment:fiscal.key.<name>`. */
  keyFields: readonly KeyField<FiscalKeyName>[]
  /** Registers a receipt once for its id. Throws ProviderUnavailable when the outcome is unknown. */
  register(keys: FiscalKeys, receipt: NewReceipt, now: Date): Promise<ReceiptResult>
  /** Whether the service accepts the keys, and whether they belong to a cash register for tests; null: refused. */
  checkKeys(keys: FiscalKeys): Promise<{ isTest: boolean } | null>
}
