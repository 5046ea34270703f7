export interface Range {
  start: number
  /** Included. */
  end: number
}

/**
 * What a Range header asks of `size` bytes (RFC 9110, 14): one range, `none` where the whole is to be answered (no
 * header, another unit, several ranges), or `beyond` where nothing of it is there.
 */
export function rangeOf(header: string | undefined, size: number): Range | 'none' | 'beyond' {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.replaceAll(' ', '') ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return 'none'
  if (from === '') {
    const last = Math.min(Number(to), size)
    return last === 0 ? 'beyond' : { start: size - last, end: size - 1 }
  }
  const start = Number(from)
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < start) return 'none'
  return start >= size ? 'beyond' : { start, end }
}

/** Whether If-None-Match names these bytes; weak tags count as the same. */
export function isSame(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}
