import { withIsoDays } from '#lib/core/http/form-date.ts'
import { ListOrders } from '#lib/offer/order/order-schema.ts'

/** Reads the filter of the list of orders from a query. A filter that does not fit is no filter. */
export function readOrderQuery(params: URLSearchParams, zone: string): ListOrders {
  const parsed = ListOrders.safeParse(withIsoDays(Object.fromEntries(params), ['from', 'to'], zone))
  return parsed.success ? parsed.data : ListOrders.parse({})
}
