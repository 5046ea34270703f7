/**
 * An error for the terminal: its message, and the messages of its causes with detail and hint of PostgreSQL, since the
 * error of a query names only the statement.
 */
export function reasonOf(error: unknown): string {
  const lines: string[] = []
  for (let at = error, depth = 0; at !== undefined && at !== null && depth < 5; depth += 1) {
    const line = lineOf(at)
    if (line !== '' && !lines.includes(line)) lines.push(line)
    at = at instanceof Error ? at.cause : undefined
  }
  return lines.join('\n  ')
}

// The parameters of a failed query may contain personal data.
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, detail, hint } = Object.assign({ code: '', detail: '', hint: '' }, error)
  const [message = ''] = error.message.split('\nparams:')
  const shown = message.length > 2000 ? `${message.slice(0, 2000)}…` : message
  const isDatabase = /^[0-9A-Z]{5}$/.test(String(code))
  const parts = [shown || String(code) || error.name, isDatabase ? `(${code})` : '', detail, hint]
  return parts.filter((part) => part).join(' ')
}
