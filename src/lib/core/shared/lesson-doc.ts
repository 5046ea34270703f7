import { z } from 'zod'
import { parseEmbed } from './embed.ts'
import { FILE_PATH } from './stored-file.ts'
import { isStorable } from './text/text.ts'
import { UUID_SOURCE } from './uuid.ts'

/** One node of a lesson's text, as the editor and the Markdown import build it. */
export interface LessonNode {
  type: string
  attrs?: Record<string, unknown>
  content?: LessonNode[]
  marks?: { type: string; attrs?: Record<string, unknown> }[]
  text?: string
}
export interface LessonDoc {
  type: 'doc'
  content: LessonNode[]
}

/** The limits of a lesson's text. A chapter of a book has about 60,000 characters. */
export const LESSON_LIMITS = { depth: 48, nodes: 20_000, characters: 400_000 } as const

export const EMPTY_DOC: LessonDoc = { type: 'doc', content: [{ type: 'paragraph' }] }

/** Maximum size of a table. */
export const MAX_ROW_CELLS = 20
export const MAX_TABLE_ROWS = 200

export const MAX_FORMULA_CHARACTERS = 2000

export const CALLOUT_TONES = ['info', 'tip', 'warning'] as const

const FILE_SRC = new RegExp(`^${FILE_PATH}${UUID_SOURCE}$`)
const HREF = /^(https?:\/\/[^\s/]|mailto:[^\s]|tel:[^\s]|\/(?![/\\])|#)[^\s\\]*$/i

/** Whether a URL is allowed in a link: http(s), mailto, tel, or a path of this tenant. */
export function isSafeHref(href: string): boolean {
  return href.length <= 2048 && isStorable(href) && HREF.test(href) && URL.canParse(href, 'https://school.invalid')
}

type Nodes = z.ZodType<LessonNode>
const bare = <T extends string>(type: T) => z.object({ type: z.literal(type) })

const Mark = z.discriminatedUnion('type', [
  bare('bold'),
  bare('italic'),
  bare('strike'),
  bare('code'),
  bare('underline'),
  bare('link').extend({ attrs: z.object({ href: z.string().refine(isSafeHref) }) }),
])
const words = z.string().min(1).refine(isStorable, 'format')
const Text = bare('text').extend({ text: words, marks: z.array(Mark).max(6).optional() })
const PlainText = bare('text').extend({ text: words })
/** A formula in TeX, within a line or as a block; the names are those of Tiptap's mathematics extension. */
const formula = z.object({ latex: z.string().max(MAX_FORMULA_CHARACTERS).refine(isStorable, 'format') })
const Inline: Nodes = z.discriminatedUnion('type', [
  Text,
  bare('hardBreak'),
  bare('inlineMath').extend({ attrs: formula }),
])
const inline = z.array(Inline).optional()
const blocks = () => z.array(z.lazy(() => Block)).min(1)
const cell = z
  .object({
    colspan: z.number().int().min(1).max(MAX_ROW_CELLS).optional(),
    rowspan: z.number().int().min(1).max(MAX_TABLE_ROWS).optional(),
  })
  .optional()

// The editor requires each item to start with a paragraph and would change other content without notice.
const itemContent = blocks().refine((content) => content[0]?.type === 'paragraph')
const ListItem: Nodes = bare('listItem').extend({ content: itemContent })
const TaskItem: Nodes = bare('taskItem').extend({
  attrs: z.object({ checked: z.boolean() }).optional(),
  content: itemContent,
})
const Cell = z.discriminatedUnion('type', [
  bare('tableHeader').extend({ attrs: cell, content: blocks() }),
  bare('tableCell').extend({ attrs: cell, content: blocks() }),
])
const Row: Nodes = bare('tableRow').extend({ content: z.array(Cell).min(1).max(MAX_ROW_CELLS) })

const Image = bare('image').extend({
  attrs: z.object({
    src: z.string().regex(FILE_SRC),
    alt: z.string().max(500).refine(isStorable, 'format').nullish(),
  }),
})
const storedFile = z.object({ fileId: z.uuid() })
const label = z.string().max(200).refine(isStorable, 'format')
const namedFile = storedFile.extend({ name: label.min(1) })

/** Blocks that are also allowed inside quotes, items, cells, callouts and columns. */
const nested = [
  bare('paragraph').extend({ content: inline }),
  bare('heading').extend({ attrs: z.object({ level: z.number().int().min(2).max(4) }), content: inline }),
  bare('bulletList').extend({ content: z.array(ListItem).min(1) }),
  bare('orderedList').extend({
    attrs: z.object({ start: z.number().int().min(0).max(1_000_000).optional() }).optional(),
    content: z.array(ListItem).min(1),
  }),
  bare('taskList').extend({ content: z.array(TaskItem).min(1) }),
  bare('blockquote').extend({ content: blocks() }),
  bare('codeBlock').extend({
    attrs: z
      .object({
        language: z
          .string()
          .regex(/^[\w+#.-]{1,30}$/)
          .nullish(),
      })
      .optional(),
    content: z.array(PlainText).optional(),
  }),
  bare('horizontalRule'),
  bare('blockMath').extend({ attrs: formula }),
  Image,
  bare('gallery').extend({ content: z.array(Image).min(1).max(40) }),
  bare('file').extend({ attrs: namedFile }),
  bare('pdf').extend({ attrs: namedFile }),
  bare('callout').extend({ attrs: z.object({ tone: z.enum(CALLOUT_TONES) }), content: blocks() }),
  bare('button').extend({
    attrs: z.object({ label: label.min(1).max(80), href: z.string().refine(isSafeHref) }),
  }),
  bare('table').extend({ content: z.array(Row).min(1).max(MAX_TABLE_ROWS) }),
] as const

const Block: Nodes = z.discriminatedUnion('type', [...nested])

const Column = bare('column').extend({ content: blocks() })

/** Blocks of full width or with external content: allowed at the top level only. */
const TopBlock: Nodes = z.discriminatedUnion('type', [
  ...nested,
  bare('columns').extend({ content: z.array(Column).min(2).max(3) }),
  bare('video').extend({ attrs: storedFile }),
  bare('audio').extend({ attrs: storedFile }),
  bare('embed').extend({
    attrs: z.object({ url: z.string().refine((url) => parseEmbed(url)?.url === url), title: label.optional() }),
  }),
  bare('task').extend({ attrs: z.object({ taskId: z.uuid() }) }),
  bare('test').extend({ attrs: z.object({ testId: z.uuid().nullable() }) }),
  // A placeholder during an upload: the type of the block is known afterwards.
  bare('upload').extend({
    attrs: z.object({
      key: z
        .string()
        .min(1)
        .max(64)
        .regex(/^[\w-]+$/),
      fileId: z.uuid().nullable(),
      name: label.min(1),
    }),
  }),
])

/** A formula counts as this many characters: rendering it costs more than text. */
const FORMULA_COST = 200

const Doc: z.ZodType<LessonDoc> = bare('doc').extend({ content: z.array(TopBlock).min(1) })

/**
 * A lesson's text: a Tiptap document of a closed set of nodes. Unknown nodes, marks and URLs make it invalid, unknown
 * attributes are removed. Its size is checked first without recursion, so that an excessive depth never reaches the
 * recursive part.
 */
export const LessonDoc: z.ZodType<LessonDoc> = z
  .unknown()
  .refine(isWithinLimits, { message: 'lesson_content', abort: true })
  .pipe(Doc)

function isWithinLimits(root: unknown): boolean {
  const pending: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }]
  let nodes = 0
  let characters = 0
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, depth } = next
    if (typeof value !== 'object' || value === null) return false
    nodes += 1
    if (nodes > LESSON_LIMITS.nodes || depth > LESSON_LIMITS.depth) return false
    if ('text' in value && typeof value.text === 'string') characters += value.text.length
    if ('type' in value && (value.type === 'inlineMath' || value.type === 'blockMath')) characters += FORMULA_COST
    if (characters > LESSON_LIMITS.characters) return false
    if ('content' in value && Array.isArray(value.content)) {
      for (const child of value.content) pending.push({ value: child, depth: depth + 1 })
    }
  }
  return true
}

/** Blocks without text that count as content. */
const CONTENT_BLOCKS = new Set([
  'image',
  'video',
  'audio',
  'file',
  'pdf',
  'embed',
  'task',
  'test',
  'upload',
  'inlineMath',
  'blockMath',
])

/** The number of words of a text; an image or other content block counts as one, so that zero means an empty text. */
export function countWords(doc: LessonDoc): number {
  let words = 0
  for (const node of walkNodes(doc)) {
    if (CONTENT_BLOCKS.has(node.type)) words += 1
    const text = node.type === 'button' ? String(node.attrs?.label ?? '') : node.text
    if (text) words += text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
  }
  return words
}

/** The ids of the files of a text, each once. */
export function filesOf(doc: LessonDoc): string[] {
  const fileIds = new Set<string>()
  for (const { attrs } of walkNodes(doc)) {
    const id = fileOf(attrs?.src) ?? attrs?.fileId
    if (typeof id === 'string') fileIds.add(id)
  }
  return [...fileIds]
}

/** The file id of an image's `src`; null for another URL. */
export function fileOf(src: unknown): string | null {
  return typeof src === 'string' && FILE_SRC.test(src) ? src.slice(FILE_PATH.length) : null
}

/** The `src` of an image by its file id. */
export const srcOf = (fileId: string): string => `${FILE_PATH}${fileId}`

/** All nodes of a text in reading order, without recursion: depth does not matter. */
export function* walkNodes(doc: LessonDoc): Generator<LessonNode> {
  const pending: LessonNode[] = doc.content.toReversed()
  for (let node = pending.pop(); node; node = pending.pop()) {
    yield node
    for (const child of node.content?.toReversed() ?? []) pending.push(child)
  }
}
