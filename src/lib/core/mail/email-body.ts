import { escapeHtml } from '../shared/text/escape.ts'
import type { Translate } from '../shared/text/strings.ts'
import type { EmailSender } from './sender.ts'

/** The body of an email: the same text as HTML and as plain text. */
export interface EmailBody {
  html: string
  text: string
}

export interface EmailParts {
  /** The preview text that mail programs show next to the subject. */
  preheader?: string
  heading: string
  /** Plain text, one string per paragraph. */
  paragraphs: string[]
  /** A code to be typed, e.g. six digits. */
  code?: string
  button?: { label: string; href: string }
  /** Secondary links below the button, one per line. */
  links?: { label: string; href: string }[]
  /** Text in small print, e.g. what to do when the email was not expected. */
  footnote?: string
  /** Name of the tenant that sends it; by default the product name. */
  school?: string
}

/**
 * Composes an email as HTML and as plain text in the language of `t`. All parts are plain text and are escaped. Throws
 * TypeError when a link is not http(s).
 */
export function composeEmail(t: Translate, parts: EmailParts): EmailBody {
  const allLinks = [...(parts.button ? [parts.button] : []), ...(parts.links ?? [])]
  if (allLinks.some(({ href }) => !/^https?:\/\//.test(href))) throw new TypeError('an email links to http(s) only')
  return { html: htmlOf(t, parts), text: plainTextBody(t, parts) }
}

/**
 * Inserts the brand of the sender into the HTML of an email at delivery: the color of buttons and links in both color
 * schemes, and the logo next to the school's name.
 */
export function brandEmail(html: string, { color, logoUrl }: Pick<EmailSender, 'color' | 'logoUrl'>): string {
  const logo = logoUrl
    ? `<img src="${escapeHtml(logoUrl)}" alt="" width="28" height="28" style="vertical-align:middle;margin-right:10px;object-fit:contain">`
    : ''
  const withLogo = html.replace(LOGO_PLACE, () => logo)
  if (!color) return withLogo
  const { day, night } = color
  return withLogo
    .replaceAll(BUTTON_COLORS, `background:${day.primary};color:${day.primaryContent}`)
    .replaceAll(LINK_COLOR, `style="color:${day.primary}`)
    .replace(NIGHT_BUTTON, `.button{background:${night.primary}!important;color:${night.primaryContent}!important}`)
    .replace(NIGHT_LINK, `.link{color:${night.primary}!important}`)
}

const LOGO_PLACE = '<!--logo-->'
const BUTTON_COLORS = 'background:#2456c9;color:#ffffff'
const LINK_COLOR = 'style="color:#2456c9'
const NIGHT_BUTTON = '.button{background:#8db4ff!important;color:#0d1a33!important}'
const NIGHT_LINK = '.link{color:#8db4ff!important}'

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif"

// Mail programs without support for color schemes use the light scheme of the inline styles.
const DARK = `@media (prefers-color-scheme:dark){
.page{background:#15171c!important}.card{background:#1f232b!important;border-color:#333a46!important}
.ink{color:#eceef2!important}.soft{color:#a9b1be!important}.code{background:#2a303b!important;color:#fff!important}
${NIGHT_BUTTON}${NIGHT_LINK}}`

function htmlOf(t: Translate, parts: EmailParts): string {
  const school = parts.school ?? t('mail:product')
  const body = [
    `<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:1.3;color:#171a21">${escapeHtml(parts.heading)}</h1>`,
    ...parts.paragraphs.map(emailParagraph),
    parts.code ? code(parts.code) : '',
    parts.button ? button(t, parts.button) : '',
    parts.links?.length ? links(parts.links) : '',
    parts.footnote ? small(escapeHtml(parts.footnote)) : '',
  ]
  return `<!doctype html>
<html lang="${t('mail:lang')}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(parts.heading)}</title><style>:root{color-scheme:light dark}${DARK}</style></head>
<body class="page" style="margin:0;padding:24px 12px;background:#f3f4f7;${FONT}">
${parts.preheader ? `<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(parts.preheader)}</div>` : ''}
<div role="article" aria-label="${escapeHtml(parts.heading)}" style="max-width:560px;margin:0 auto">
<p class="soft" style="margin:0 0 12px;padding:0 4px;font-size:15px;font-weight:600;color:#4a5261">${LOGO_PLACE}${escapeHtml(school)}</p>
<div class="card" style="padding:28px 24px;background:#ffffff;border:1px solid #e1e4ea;border-radius:12px">
${body.filter(Boolean).join('\n')}
</div>
<p class="soft" style="margin:16px 4px 0;font-size:13px;line-height:1.5;color:#667085">${escapeHtml(senderOf(t, parts))}</p>
</div></body></html>
`
}

function emailParagraph(text: string): string {
  const lines = escapeHtml(text).replaceAll('\n', '<br>')
  return `<p class="ink" style="margin:0 0 14px;font-size:16px;line-height:1.6;color:#2b313c">${lines}</p>`
}

function code(value: string): string {
  const style = 'font-family:ui-monospace,Consolas,Menlo,monospace;font-size:30px;letter-spacing:6px;font-weight:700'
  return `<p class="code" style="margin:20px 0;padding:14px;border-radius:8px;text-align:center;background:#eef1f6;color:#171a21;${style}">${escapeHtml(value)}</p>`
}

// The URL is repeated below the button: some programs remove links from untrusted emails.
function button(t: Translate, { label, href }: { label: string; href: string }): string {
  const style =
    'display:inline-block;padding:13px 22px;border-radius:8px;font-size:16px;font-weight:600;text-decoration:none'
  const address = `<a class="still-link" href="${escapeHtml(href)}" ${LINK_COLOR};word-break:break-all">${escapeHtml(href)}</a>`
  return `<p style="margin:22px 0"><a class="button" href="${escapeHtml(href)}" style="${style};${BUTTON_COLORS}">${escapeHtml(label)}</a></p>
${small(`${escapeHtml(t('mail:or_open'))}<br>${address}`)}`
}

function links(items: { label: string; href: string }[]): string {
  const anchors = items.map(
    ({ label, href }) => `<a class="still-link" href="${escapeHtml(href)}" ${LINK_COLOR}">${escapeHtml(label)}</a>`,
  )
  return `<p class="soft" style="margin:18px 0 0;font-size:14px;line-height:2;color:#667085">${anchors.join('<br>')}</p>`
}

function small(html: string): string {
  return `<p class="soft" style="margin:14px 0 0;font-size:13px;line-height:1.5;color:#667085">${html}</p>`
}

function plainTextBody(t: Translate, parts: EmailParts): string {
  const { heading, paragraphs, code, button, links, footnote } = parts
  const link = button ? `${button.label}:\n${button.href}` : ''
  const linkLines = (links ?? []).map(({ label, href }) => `${label}: ${href}`).join('\n')
  const blocks = [heading, ...paragraphs, code ?? '', link, linkLines, footnote ?? '', `-- \n${senderOf(t, parts)}`]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

function senderOf(t: Translate, { school }: EmailParts): string {
  return school ? t('mail:sent_by_school', { school }) : t('mail:sent_by_product')
}
