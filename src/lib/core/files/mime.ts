/*
 * Types that a browser may be told, by extension. None of them runs as a page of the school's origin; what is not here
 * is handed out as bytes to keep.
 */
const TYPES: Record<string, string> = {
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  m4s: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
  ogv: 'video/ogg',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  weba: 'audio/webm',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  pdf: 'application/pdf',
  txt: 'text/plain; charset=utf-8',
  vtt: 'text/vtt; charset=utf-8',
  m3u8: 'application/vnd.apple.mpegurl',
}

export interface SafeType {
  type: string
  /** May be shown in place; otherwise only kept. */
  isInline: boolean
}

/** The type under which bytes of this extension (lower-case, no dot) are handed out. */
export function safeType(extension: string): SafeType {
  const type = Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined
  return type ? { type, isInline: true } : { type: 'application/octet-stream', isInline: false }
}

/** A Content-Disposition header: the name for old clients in ASCII and in full (RFC 6266, RFC 5987). */
export function contentDisposition(isInline: boolean, name: string | null): string {
  const kind = isInline ? 'inline' : 'attachment'
  const safeName = (name ?? '')
    .replace(/[\p{Cc}\p{Bidi_Control}/\\]/gu, '')
    .toWellFormed()
    .slice(0, 200)
  if (!safeName) return kind
  const asciiName = safeName.replace(/[^\x20-\x7e]/g, '_').replace(/["%]/g, '_')
  const encodedName = encodeURIComponent(safeName).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${asciiName}"${asciiName === safeName ? '' : `; filename*=UTF-8''${encodedName}`}`
}
