import { dictionary } from '#lib/core/shared/dictionary.ts'
import { embedOf } from '#lib/core/shared/embed.ts'
import { CALLOUT_TONES, fileOf, isSafeHref, type LessonNode, srcOf } from '#lib/core/shared/lesson-doc.ts'
import { formatBytes } from '#lib/core/shared/locale.ts'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import type { Picture } from '#lib/storage/signed.ts'
import type { Shown } from './lesson-files.ts'

/** A document while it is drawn. */
export interface Page {
  /** Counted on the way: a checkbox is named by the words beside it, which need an id. */
  tasks: number
  pictures: ReadonlyMap<string, Picture> | null
  shown: Shown | null
  children: (nodes: readonly LessonNode[] | undefined, page: Page) => string
}

/** A block that shows something beside text, to HTML; undefined for all others. */
export function drawBlock(node: LessonNode, page: Page): string | undefined {
  return BLOCKS[node.type]?.(node.attrs ?? {}, page, node)
}

/** Into a text or between the quotes of an attribute. */
export function escaped(value: unknown): string {
  return String(value ?? '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

type Attributes = Record<string, unknown>
type Draw = (attrs: Attributes, page: Page, node: LessonNode) => string

const slot: Draw = (_, { shown }, { type }) =>
  shown
    ? `<div class="lesson-slot" data-slot="${escaped(type)}"><span class="lesson-slot-kind">${escaped(shown.t(keyFrom(`editor:block.${type}`)))}</span></div>`
    : ''

const BLOCKS = dictionary<Draw>({
  image,
  gallery,
  file: fileCard,
  pdf: fileCard,
  video: filmSlot,
  audio: filmSlot,
  embed,
  callout,
  button,
  columns: (_, page, { content }) =>
    `<div class="lesson-columns" data-count="${content?.length ?? 0}">${page.children(content, page)}</div>`,
  column: (_, page, { content }) => `<div class="lesson-column">${page.children(content, page)}</div>`,
  task: slot,
  test: slot,
  upload: arrived,
})

/** The width of a lesson's text on the screens there are; see reading.css. */
const SIZES = '(min-width: 46rem) 42.5rem, 100vw'

function image({ src, alt }: Attributes, { pictures }: Page): string {
  const fileId = fileOf(src)
  if (!fileId) return ''
  const picture = pictures ? pictures.get(fileId) : { src, avif: '', webp: '', width: null, height: null }
  // Deleted from the storage: there is nothing to show.
  if (!picture) return ''
  const { width, height, avif, webp } = picture
  const place = width && height ? ` width="${width}" height="${height}"` : ''
  const drawn = `<img src="${escaped(picture.src)}" alt="${escaped(alt)}"${place} loading="lazy" decoding="async">`
  const sources = [['avif', avif] as const, ['webp', webp] as const].map(([format, set]) =>
    set ? `<source type="image/${format}" srcset="${escaped(set)}" sizes="${SIZES}">` : '',
  )
  return avif || webp ? `<picture>${sources.join('')}${drawn}</picture>` : drawn
}

function gallery(_: Attributes, page: Page, { content }: LessonNode): string {
  const pictures = page.children(content, page)
  return pictures ? `<div class="lesson-gallery">${pictures}</div>` : ''
}

function fileCard({ fileId, name }: Attributes, { shown }: Page, { type }: LessonNode): string {
  const found = shown?.files.get(String(fileId))
  if (!shown || !found) return shown ? '' : `<p>${escaped(name)}</p>`
  const { t, locale } = shown
  const note = escaped(`${type === 'pdf' ? 'PDF · ' : ''}${formatBytes(found.size, locale)}`)
  const words = `<span class="lesson-file-name">${escaped(name)}</span><span class="lesson-file-note">${note}</span>`
  // A PDF is read in the browser, in a tab of its own; everything else is to be kept.
  return type === 'pdf'
    ? `<a class="lesson-file" href="${escaped(found.open)}" target="_blank" rel="noopener">${words}<span class="sr-only"> ${escaped(t('editor:read.newTab'))}</span></a>`
    : `<a class="lesson-file" href="${escaped(found.download)}" download>${words}</a>`
}

function filmSlot(attrs: Attributes, page: Page, node: LessonNode): string {
  return page.shown?.files.has(String(attrs.fileId)) ? slot(attrs, page, node) : ''
}

/** A file that was on its way when the text was written: once it is here, it is shown as what it turned out to be. */
function arrived(attrs: Attributes, page: Page, node: LessonNode): string {
  const found = page.shown?.files.get(String(attrs.fileId))
  if (!found) return ''
  if (found.kind === 'image') return image({ src: srcOf(String(attrs.fileId)), alt: '' }, page)
  if (found.kind === 'video' || found.kind === 'audio') return slot(attrs, page, { ...node, type: found.kind })
  return fileCard(attrs, page, { ...node, type: found.mime === 'application/pdf' ? 'pdf' : 'file' })
}

/** A link that opens the other site. The page's script lets a click show the frame in its place: nothing is asked of anybody before. */
function embed({ url, title }: Attributes, { shown }: Page): string {
  const found = embedOf(String(url ?? ''))
  if (!found) return ''
  const named = title ? `${found.provider}: ${String(title)}` : found.provider
  const note = shown
    ? `<span class="lesson-file-note">${escaped(shown.t('editor:read.embed', { site: found.provider }))}</span>`
    : ''
  const words = `<span class="lesson-file-name">${escaped(named)}</span>${note}`
  const link = `<a class="lesson-embed-link" href="${escaped(found.page)}" rel="noopener noreferrer" target="_blank">${words}</a>`
  return `<div class="lesson-embed" data-embed="${escaped(found.url)}">${link}</div>`
}

function callout({ tone }: Attributes, page: Page, { content }: LessonNode): string {
  const known = CALLOUT_TONES.find((one) => one === tone) ?? 'info'
  const said = page.shown
    ? `<span class="sr-only">${escaped(page.shown.t(keyFrom(`editor:tone.${known}`)))}</span>`
    : ''
  return `<div class="lesson-callout" data-tone="${known}" role="note">${said}${page.children(content, page)}</div>`
}

function button({ label, href }: Attributes): string {
  const address = String(href ?? '')
  if (!isSafeHref(address)) return ''
  return `<p class="lesson-action"><a class="btn btn-primary" href="${escaped(address)}" rel="noopener noreferrer nofollow">${escaped(label)}</a></p>`
}
