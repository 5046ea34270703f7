import { parseJsonObject } from '#lib/core/shared/text/json.ts'
import { ProviderUnavailable } from '../provider.ts'

/** The only origins to which requests about payments go; none of them comes from a school. */
const ORIGINS = new Set([
  'https://www.liqpay.ua',
  'https://api.wayforpay.com',
  'https://api.monobank.ua',
  'https://api.stripe.com',
  'https://api.checkbox.ua',
])
const TIMEOUT_MS = 10_000
const MAX_RESPONSE_CHARS = 1_048_576

export interface ProviderResponse {
  status: number
  text: string
}

/**
 * Sends a request to a provider and returns its response with any status below 500. Throws ProviderUnavailable without
 * a response: the outcome of the request is unknown then. Redirects are not followed.
 */
export async function requestProvider(
  url: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string | undefined } = {},
): Promise<ProviderResponse> {
  if (!ORIGINS.has(new URL(url).origin)) throw new TypeError('not the address of a payment provider')
  try {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { accept: 'application/json', ...headers },
      ...(body !== undefined && { body }),
      // The keys must not be sent to another host.
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    if (response.status >= 500 || text.length > MAX_RESPONSE_CHARS)
      throw new ProviderUnavailable(`the provider answered ${response.status}`)
    return { status: response.status, text }
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error
    throw new ProviderUnavailable('the provider does not answer', { cause: error })
  }
}

/** The JSON object in a response. Throws ProviderUnavailable when there is none. */
export function jsonOf({ text }: ProviderResponse): Record<string, unknown> {
  const parsed = parseJsonObject(text)
  if (!parsed) throw new ProviderUnavailable('the answer of the provider is no JSON object')
  return parsed
}
