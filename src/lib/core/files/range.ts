export interface Range {
  start: number
  /** Included. */
  end: number
}

/**
 * Parses a Range header for a body of `size` bytes (RFC 9110, 14). `none`: send the whole body (no header, another
 * unit, several ranges). `beyond`: not satisfiable.
 */
export function parseRange(header: string | undefined, size: number): Range | 'none' | 'beyond' {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(' ', '') ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'none'
  if (first === '') {
    const suffixLength = Math.min(Number(last), size)
    return suffixLength === 0 ? 'beyond' : { start: size - suffixLength, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return 'none'
  return start >= size ? 'beyond' : { start, end }
}

/** Whether If-None-Match matches the ETag; weak comparison. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
