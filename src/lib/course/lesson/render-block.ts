import { dictionary } from '#lib/core/shared/dictionary.ts'
import { parseEmbed } from '#lib/core/shared/embed.ts'
import { CALLOUT_TONES, fileOf, isSafeHref, type LessonNode, srcOf } from '#lib/core/shared/lesson-doc.ts'
import { formatBytes } from '#lib/core/shared/locale.ts'
import { escapeHtml } from '#lib/core/shared/text/escape.ts'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import type { Picture } from '#lib/storage/signed-url.ts'
import type { RenderContext } from './render-context.ts'

/** State of the rendering of one document. */
export interface RenderState {
  /** Number of task items so far: a checkbox is labelled by an element with an id. */
  tasks: number
  pictures: ReadonlyMap<string, Picture> | null
  context: RenderContext | null
  children: (nodes: readonly LessonNode[] | undefined, state: RenderState) => string
}

/** Renders a block other than text to HTML; undefined for all other nodes. */
export function renderBlock(node: LessonNode, state: RenderState): string | undefined {
  return BLOCKS[node.type]?.(node.attrs ?? {}, state, node)
}

type Attributes = Record<string, unknown>
type BlockRenderer = (attrs: Attributes, state: RenderState, node: LessonNode) => string

const slot: BlockRenderer = (_, { context }, { type }) =>
  context
    ? `<div class="lesson-slot" data-slot="${escapeHtml(type)}"><span class="lesson-slot-kind">${escapeHtml(context.t(keyFrom(`editor:block.${type}`)))}</span></div>`
    : ''

const BLOCKS = dictionary<BlockRenderer>({
  image,
  gallery,
  file: fileCard,
  pdf: fileCard,
  video: mediaSlot,
  audio: mediaSlot,
  embed,
  callout,
  button,
  columns: (_, state, { content }) =>
    `<div class="lesson-columns" data-count="${content?.length ?? 0}">${state.children(content, state)}</div>`,
  column: (_, state, { content }) => `<div class="lesson-column">${state.children(content, state)}</div>`,
  task: slot,
  test: slot,
  upload: uploadedFile,
})

/** Width of the lesson's text by screen size; see reading.css. */
const SIZES = '(min-width: 46rem) 42.5rem, 100vw'

function image({ src, alt }: Attributes, { pictures }: RenderState): string {
  const fileId = fileOf(src)
  if (!fileId) return ''
  const picture = pictures ? pictures.get(fileId) : { src, avif: '', webp: '', width: null, height: null }
  // Files deleted from the storage are not rendered.
  if (!picture) return ''
  const { width, height, avif, webp } = picture
  const sizeAttributes = width && height ? ` width="${width}" height="${height}"` : ''
  const img = `<img src="${escapeHtml(picture.src)}" alt="${escapeHtml(alt)}"${sizeAttributes} loading="lazy" decoding="async">`
  const sources = [['avif', avif] as const, ['webp', webp] as const].map(([format, set]) =>
    set ? `<source type="image/${format}" srcset="${escapeHtml(set)}" sizes="${SIZES}">` : '',
  )
  return avif || webp ? `<picture>${sources.join('')}${img}</picture>` : img
}

function gallery(_: Attributes, state: RenderState, { content }: LessonNode): string {
  const pictures = state.children(content, state)
  return pictures ? `<div class="lesson-gallery">${pictures}</div>` : ''
}

function fileCard({ fileId, name }: Attributes, { context }: RenderState, { type }: LessonNode): string {
  const file = context?.files.get(String(fileId))
  if (!context || !file) return context ? '' : `<p>${escapeHtml(name)}</p>`
  const { t, locale } = context
  const note = escapeHtml(`${type === 'pdf' ? 'PDF · ' : ''}${formatBytes(file.size, locale)}`)
  const content = `<span class="lesson-file-name">${escapeHtml(name)}</span><span class="lesson-file-note">${note}</span>`
  // A PDF opens in a new tab; other files are downloaded.
  return type === 'pdf'
    ? `<a class="lesson-file" href="${escapeHtml(file.open)}" target="_blank" rel="noopener">${content}<span class="sr-only"> ${escapeHtml(t('editor:read.newTab'))}</span></a>`
    : `<a class="lesson-file" href="${escapeHtml(file.download)}" download>${content}</a>`
}

function mediaSlot(attrs: Attributes, state: RenderState, node: LessonNode): string {
  return state.context?.files.has(String(attrs.fileId)) ? slot(attrs, state, node) : ''
}

/** An upload block: after the upload it is rendered by the kind of the file. */
function uploadedFile(attrs: Attributes, state: RenderState, node: LessonNode): string {
  const file = state.context?.files.get(String(attrs.fileId))
  if (!file) return ''
  if (file.kind === 'image') return image({ src: srcOf(String(attrs.fileId)), alt: '' }, state)
  if (file.kind === 'video' || file.kind === 'audio') return slot(attrs, state, { ...node, type: file.kind })
  return fileCard(attrs, state, { ...node, type: file.mime === 'application/pdf' ? 'pdf' : 'file' })
}

/**
 * A link to the other site. The page's script replaces it with the frame on click, so that no request is sent before.
 */
function embed({ url, title }: Attributes, { context }: RenderState): string {
  const target = parseEmbed(String(url ?? ''))
  if (!target) return ''
  const name = title ? `${target.provider}: ${String(title)}` : target.provider
  const note = context
    ? `<span class="lesson-file-note">${escapeHtml(context.t('editor:read.embed', { site: target.provider }))}</span>`
    : ''
  const content = `<span class="lesson-file-name">${escapeHtml(name)}</span>${note}`
  const link = `<a class="lesson-embed-link" href="${escapeHtml(target.page)}" rel="noopener noreferrer" target="_blank">${content}</a>`
  return `<div class="lesson-embed" data-embed="${escapeHtml(target.url)}">${link}</div>`
}

function callout({ tone }: Attributes, state: RenderState, { content }: LessonNode): string {
  const knownTone = CALLOUT_TONES.find((candidate) => candidate === tone) ?? 'info'
  const toneLabel = state.context
    ? `<span class="sr-only">${escapeHtml(state.context.t(keyFrom(`editor:tone.${knownTone}`)))}</span>`
    : ''
  return `<div class="lesson-callout" data-tone="${knownTone}" role="note">${toneLabel}${state.children(content, state)}</div>`
}

function button({ label, href }: Attributes): string {
  const address = String(href ?? '')
  if (!isSafeHref(address)) return ''
  return `<p class="lesson-action"><a class="btn btn-primary" href="${escapeHtml(address)}" rel="noopener noreferrer nofollow">${escapeHtml(label)}</a></p>`
}
