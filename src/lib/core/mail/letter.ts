import type { Say } from '../shared/text/strings.ts'

/** A letter ready to leave: the same words twice. */
export interface Letter {
  html: string
  text: string
}

export interface LetterParts {
  /** What mail programs show beside the subject. */
  preheader?: string
  heading: string
  /** Plain text, a string a paragraph. */
  paragraphs: string[]
  /** A code to type in, e.g. six digits. */
  code?: string
  button?: { label: string; href: string }
  /** Lesser ways on, a line each under the button. */
  links?: { label: string; href: string }[]
  /** Small print, e.g. what to do when the letter was not expected. */
  footnote?: string
  /** Whose letter it is; the product's own name when absent. */
  school?: string
}

/**
 * Lays a letter out as HTML and as plain text in the language of `t`. All parts are plain text and get escaped;
 * a button leads to http(s) only, anything else throws.
 */
export function composeLetter(t: Say, parts: LetterParts): Letter {
  const leads = [...(parts.button ? [parts.button] : []), ...(parts.links ?? [])]
  if (leads.some(({ href }) => !/^https?:\/\//.test(href))) throw new TypeError('a letter links to http(s) only')
  return { html: htmlOf(t, parts), text: textOf(t, parts) }
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"

// Mail programs that know no colour scheme get the light one, which the inline styles carry.
const DARK = `@media (prefers-color-scheme:dark){
.page{background:#15171c!important}.card{background:#1f232b!important;border-color:#333a46!important}
.ink{color:#eceef2!important}.soft{color:#a9b1be!important}.code{background:#2a303b!important;color:#fff!important}
.button{background:#8db4ff!important;color:#0d1a33!important}.link{color:#8db4ff!important}}`

function htmlOf(t: Say, parts: LetterParts): string {
  const school = parts.school ?? t('mail:product')
  const body = [
    `<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:1.3;color:#171a21">${plain(parts.heading)}</h1>`,
    ...parts.paragraphs.map(paragraph),
    parts.code ? code(parts.code) : '',
    parts.button ? button(t, parts.button) : '',
    parts.links?.length ? links(parts.links) : '',
    parts.footnote ? small(plain(parts.footnote)) : '',
  ]
  return `<!doctype html>
<html lang="${t('mail:lang')}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${plain(parts.heading)}</title><style>:root{color-scheme:light dark}${DARK}</style></head>
<body class="page" style="margin:0;padding:24px 12px;background:#f3f4f7;${FONT}">
${parts.preheader ? `<div style="display:none;max-height:0;overflow:hidden">${plain(parts.preheader)}</div>` : ''}
<div role="article" aria-label="${plain(parts.heading)}" style="max-width:560px;margin:0 auto">
<p class="soft" style="margin:0 0 12px;padding:0 4px;font-size:15px;font-weight:600;color:#4a5261">${plain(school)}</p>
<div class="card" style="padding:28px 24px;background:#ffffff;border:1px solid #e1e4ea;border-radius:12px">
${body.filter(Boolean).join('\n')}
</div>
<p class="soft" style="margin:16px 4px 0;font-size:13px;line-height:1.5;color:#667085">${plain(senderOf(t, parts))}</p>
</div></body></html>
`
}

function paragraph(text: string): string {
  const lines = plain(text).replaceAll('\n', '<br>')
  return `<p class="ink" style="margin:0 0 14px;font-size:16px;line-height:1.6;color:#2b313c">${lines}</p>`
}

function code(value: string): string {
  const look = 'font-family:ui-monospace,Consolas,Menlo,monospace;font-size:30px;letter-spacing:6px;font-weight:700'
  return `<p class="code" style="margin:20px 0;padding:14px;border-radius:8px;text-align:center;background:#eef1f6;color:#171a21;${look}">${plain(value)}</p>`
}

// The address stands below the button too: some programs take the links out of what they don't trust.
function button(t: Say, { label, href }: { label: string; href: string }): string {
  const look =
    'display:inline-block;padding:13px 22px;border-radius:8px;font-size:16px;font-weight:600;text-decoration:none'
  const address = `<a class="link" href="${plain(href)}" style="color:#2456c9;word-break:break-all">${plain(href)}</a>`
  return `<p style="margin:22px 0"><a class="button" href="${plain(href)}" style="${look};background:#2456c9;color:#ffffff">${plain(label)}</a></p>
${small(`${plain(t('mail:or_open'))}<br>${address}`)}`
}

function links(all: { label: string; href: string }[]): string {
  const each = all.map(
    ({ label, href }) => `<a class="link" href="${plain(href)}" style="color:#2456c9">${plain(label)}</a>`,
  )
  return `<p class="soft" style="margin:18px 0 0;font-size:14px;line-height:2;color:#667085">${each.join('<br>')}</p>`
}

function small(html: string): string {
  return `<p class="soft" style="margin:14px 0 0;font-size:13px;line-height:1.5;color:#667085">${html}</p>`
}

function textOf(t: Say, parts: LetterParts): string {
  const { heading, paragraphs, code, button, links, footnote } = parts
  const link = button ? `${button.label}:\n${button.href}` : ''
  const more = (links ?? []).map(({ label, href }) => `${label}: ${href}`).join('\n')
  const blocks = [heading, ...paragraphs, code ?? '', link, more, footnote ?? '', `-- \n${senderOf(t, parts)}`]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

function senderOf(t: Say, { school }: LetterParts): string {
  return school ? t('mail:sent_by_school', { school }) : t('mail:sent_by_product')
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function plain(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
}
