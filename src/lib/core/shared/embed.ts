import { dictionary } from './dictionary.ts'
import { HOUR_SECONDS } from './time.ts'

/** Embedded content of another site: the URL of its frame and the page that a link opens. */
export interface Embed {
  provider: string
  /** Canonical: one URL for the same content, however it was copied. A lesson stores it. */
  url: string
  /** The page of the content without a frame. */
  page: string
}

/** The allowed frame sources; the Content-Security-Policy names exactly these. */
export const FRAME_SOURCES = [
  'https://www.youtube-nocookie.com/embed/',
  'https://player.vimeo.com/video/',
  'https://www.loom.com/embed/',
  'https://docs.google.com/presentation/',
  'https://docs.google.com/forms/',
] as const

/**
 * Parses a URL that was copied from the address bar, a share button or the code of a frame. Null when its site is not
 * supported.
 */
export function parseEmbed(address: string): Embed | null {
  const text = address.trim()
  if (text.length > 1000 || !/^https?:\/\//i.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  if (url.username || url.password || url.port) return null
  const host = url.hostname.toLowerCase().replace(/^(www|m|music)\./, '')
  return HOSTS[host]?.(url) ?? null
}

const HOSTS = dictionary<(url: URL) => Embed | null>({
  'youtube.com': youtube,
  'youtube-nocookie.com': youtube,
  'youtu.be': (url) => youtubeEmbed(url.pathname.slice(1), url),
  'vimeo.com': vimeo,
  'player.vimeo.com': vimeo,
  'loom.com': loom,
  'docs.google.com': google,
})

function youtube(url: URL): Embed | null {
  const id = /^\/(?:embed|shorts|live|v)\/([^/]+)\/?$/.exec(url.pathname)?.[1]
  return youtubeEmbed(id ?? (url.pathname === '/watch' ? (url.searchParams.get('v') ?? '') : ''), url)
}

function youtubeEmbed(id: string, { searchParams }: URL): Embed | null {
  if (!/^[\w-]{11}$/.test(id)) return null
  const start = seconds(searchParams.get('start') ?? searchParams.get('t') ?? '')
  return {
    provider: 'YouTube',
    url: `https://www.youtube-nocookie.com/embed/${id}${start ? `?start=${start}` : ''}`,
    page: `https://www.youtube.com/watch?v=${id}${start ? `&t=${start}s` : ''}`,
  }
}

/** `90`, `90s` or `1h2m3s` to seconds. */
function seconds(text: string): number {
  const match = /^(?:(\d{1,2})h)?(?:(\d{1,3})m)?(?:(\d{1,6})s?)?$/.exec(text)
  const [, hours = 0, minutes = 0, rest = 0] = match ?? []
  return Number(hours) * HOUR_SECONDS + Number(minutes) * 60 + Number(rest)
}

/** An unlisted video has a hash after its id, or as parameter `h`. */
function vimeo({ pathname, searchParams }: URL): Embed | null {
  const path = /^\/(?:video\/|channels\/[\w-]+\/)?(\d{4,12})(?:\/([0-9a-f]{6,20}))?\/?$/.exec(pathname)
  if (!path) return null
  const [, id, behind] = path
  const secret = [behind, searchParams.get('h')].find((value) => value && /^[0-9a-f]{6,20}$/.test(value))
  return {
    provider: 'Vimeo',
    url: `https://player.vimeo.com/video/${id}${secret ? `?h=${secret}` : ''}`,
    page: `https://vimeo.com/${id}${secret ? `/${secret}` : ''}`,
  }
}

function loom({ pathname }: URL): Embed | null {
  const id = /^\/(?:share|embed)\/([0-9a-f]{32})\/?$/.exec(pathname)?.[1]
  return id
    ? { provider: 'Loom', url: `https://www.loom.com/embed/${id}`, page: `https://www.loom.com/share/${id}` }
    : null
}

function google({ pathname }: URL): Embed | null {
  const [, kind, id] = /^\/(presentation|forms)\/d\/((?:e\/)?[\w-]{20,120})(?:\/\w*)?\/?$/.exec(pathname) ?? []
  if (!kind || !id) return null
  const base = `https://docs.google.com/${kind}/d/${id}`
  return kind === 'forms'
    ? { provider: 'Google Forms', url: `${base}/viewform?embedded=true`, page: `${base}/viewform` }
    : { provider: 'Google Slides', url: `${base}/embed`, page: id.startsWith('e/') ? `${base}/pub` : `${base}/view` }
}
