/** Absolute address on the base domain (null), on `go` or on a school's subdomain of the product under test. */
export function addressOf(subdomain: string | null, path = '/'): string {
  const origin = process.env.E2E_ORIGIN
  if (!origin) throw new Error('E2E_ORIGIN is not set: the global setup starts the product')
  return subdomain ? `${origin.replace('://', `://${subdomain}.`)}${path}` : `${origin}${path}`
}
