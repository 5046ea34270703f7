/*
 * Content types by extension that are served to browsers. None of them can run scripts in the origin of a tenant; any
 * other extension is a download.
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
  /** Displayed in the browser; otherwise downloaded. */
  isInline: boolean
}

/** The content type for an extension (lower case, without dot). */
export function safeType(extension: string): SafeType {
  const type = Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined
  return type ? { type, isInline: true } : { type: 'application/octet-stream', isInline: false }
}

/** A Content-Disposition header, with the name in ASCII and in UTF-8 (RFC 6266, RFC 5987). */
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
