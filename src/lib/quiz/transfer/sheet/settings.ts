/** Settings of a question in one cell: `penalty=0.5; shuffle=no`. Values are percent-encoded where necessary. */
export function writeSettings(settings: Record<string, string | number | boolean | null | undefined>): string {
  return Object.entries(settings)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(
      ([name, value]) =>
        `${name}=${typeof value === 'boolean' ? (value ? 'yes' : 'no') : escapeValue(String(value ?? ''))}`,
    )
    .join('; ')
}

/** Parses the settings in such a cell; parts without a name are ignored. */
export function readSettings(cell: string): Map<string, string> {
  const settings = new Map<string, string>()
  for (const part of cell.split(';')) {
    const at = part.indexOf('=')
    if (at > 0) settings.set(part.slice(0, at).trim().toLowerCase(), decodeValue(part.slice(at + 1).trim()))
  }
  return settings
}

const escapeValue = (value: string): string => value.replace(/[;%=]/g, (character) => encodeURIComponent(character))

function decodeValue(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
