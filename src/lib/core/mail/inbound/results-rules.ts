/*
 * Authentication-Results fields (RFC 8601) of a mail server that is trusted because its name is configured. All functions are
 * linear in the length of the field.
 */

interface MethodResult {
  method: string
  result: string
  /** `header.d`, `smtp.mailfrom` and the like, in lower case. */
  properties: Map<string, string>
}

/**
 * Whether the receiving mail server has authenticated the domain of a sender: DMARC passed, or a DKIM signature or SPF of
 * the same domain or of one above it. Only the first field of a trusted server counts: servers add theirs at the top, and a
 * sender can only add fields below it.
 * @param fields values of Authentication-Results in the order of the message
 * @param trusted names of servers (authserv-id), in lower case
 */
export function isSenderInResults(fields: readonly string[], sender: string, trusted: readonly string[]): boolean {
  const domain = domainOf(sender)
  if (domain === '') return false
  for (const field of fields) {
    const [name = '', ...results] = withoutComments(field).split(';')
    if (!trusted.includes(name.trim().split(/\s+/)[0]?.toLowerCase() ?? '')) continue
    return results.map(toResult).some((result) => authenticates(result, domain))
  }
  return false
}

/** Whether a domain is that of the sender, or one above it; a single label is above nothing. */
export const isAligned = (domain: string, senderDomain: string): boolean =>
  domain !== '' && (domain === senderDomain || (domain.includes('.') && senderDomain.endsWith(`.${domain}`)))

/** The domain of an address, or of a property that is only a domain, in lower case. */
export function domainOf(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1)
  return domain
    .trim()
    .replace(/^[<"]/, '')
    .replace(/[>".]$/, '')
    .toLowerCase()
}

function authenticates({ method, result, properties }: MethodResult, domain: string): boolean {
  if (result !== 'pass') return false
  const aligned = (...names: string[]) => names.some((name) => isAligned(domainOf(properties.get(name) ?? ''), domain))
  if (method === 'dmarc') return domainOf(properties.get('header.from') ?? '') === domain
  if (method === 'dkim') return aligned('header.d', 'header.i')
  return method === 'spf' && aligned('smtp.mailfrom', 'smtp.mail')
}

/** `dkim=pass reason="…" header.d=example.org`. */
function toResult(text: string): MethodResult {
  const pairs = text
    .trim()
    .split(/\s+/)
    .map((word) => {
      const at = word.indexOf('=')
      return [word.slice(0, Math.max(at, 0)).toLowerCase(), word.slice(at + 1).toLowerCase()] as const
    })
  const [method = '', result = ''] = pairs[0] ?? []
  // A method may have a version: `dkim/1`.
  return { method: method.split('/')[0] ?? '', result, properties: new Map(pairs.slice(1)) }
}

/** The field without comments and quoted strings of other properties, which may contain separators. */
function withoutComments(field: string): string {
  let depth = 0
  let isQuoted = false
  let text = ''
  for (let at = 0; at < field.length; at += 1) {
    const sign = field[at] ?? ''
    if (sign === '\\') at += 1
    else if (isQuoted) isQuoted = sign !== '"'
    else if (sign === '(') depth += 1
    else if (sign === ')') depth = Math.max(0, depth - 1)
    else if (depth > 0) continue
    else if (sign === '"') isQuoted = true
    else text += sign
  }
  return text
}
