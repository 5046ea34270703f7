import type { Editor } from '@tiptap/core'
import {
  AudioLines,
  ClipboardCheck,
  Code2,
  Columns2,
  Columns3,
  FileText,
  Film,
  Globe,
  Heading2,
  Heading3,
  Heading4,
  Image,
  Images,
  List,
  ListChecks,
  ListOrdered,
  ListTodo,
  type LucideIcon,
  MessageSquareQuote,
  Minus,
  Paperclip,
  Pilcrow,
  Quote,
  Sigma,
  SquareMousePointer,
  Table,
} from 'lucide-react'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { block as en } from '#locales/en/editor.json'
import { block as uk } from '#locales/uk/editor.json'
import type { EditorContext } from '../editor-context.ts'
import { insertBlock } from './block-commands.ts'
import { emptyTable } from './table-nodes.ts'

/** Blocks that need a dialog before they are inserted. */
const DIALOG_BLOCKS = [
  'image',
  'gallery',
  'video',
  'audio',
  'pdf',
  'file',
  'embed',
  'button',
  'formula',
  'task',
  'test',
] as const
export type DialogBlock = (typeof DIALOG_BLOCKS)[number]

export interface BlockChoice {
  /** Its label is `editor:block.<name>`. */
  name: string
  icon: LucideIcon
  /** `files` need the storage, `media` are allowed where videos are, `lesson` in lessons only. */
  availability: 'anywhere' | 'files' | 'media' | 'lesson'
  /** Inserts the block; without it, a dialog is opened. */
  insert?: (editor: Editor) => void
}

const paragraph = { type: 'paragraph' }
const column = { type: 'column', content: [paragraph] }

const heading = (level: 2 | 3 | 4) => (editor: Editor) => editor.chain().focus().setNode('heading', { level }).run()

/** All blocks in menu order. */
const CATALOGUE: readonly BlockChoice[] = [
  generalBlock('paragraph', Pilcrow, (editor) => editor.chain().focus().setParagraph().run()),
  generalBlock('heading2', Heading2, heading(2)),
  generalBlock('heading3', Heading3, heading(3)),
  generalBlock('heading4', Heading4, heading(4)),
  generalBlock('bulletList', List, (editor) => editor.chain().focus().toggleBulletList().run()),
  generalBlock('orderedList', ListOrdered, (editor) => editor.chain().focus().toggleOrderedList().run()),
  generalBlock('taskList', ListChecks, (editor) => editor.chain().focus().toggleTaskList().run()),
  dialogBlock('image', Image, 'files'),
  dialogBlock('gallery', Images, 'files'),
  dialogBlock('video', Film, 'media'),
  dialogBlock('audio', AudioLines, 'media'),
  dialogBlock('file', Paperclip, 'files'),
  dialogBlock('pdf', FileText, 'files'),
  dialogBlock('embed', Globe, 'lesson'),
  generalBlock('blockquote', Quote, (editor) => editor.chain().focus().toggleBlockquote().run()),
  generalBlock('callout', MessageSquareQuote, (editor) =>
    insertBlock(editor, { type: 'callout', attrs: { tone: 'info' }, content: [paragraph] }),
  ),
  generalBlock('codeBlock', Code2, (editor) => editor.chain().focus().toggleCodeBlock().run()),
  generalBlock('table', Table, (editor) => insertBlock(editor, emptyTable())),
  dialogBlock('formula', Sigma, 'anywhere'),
  generalBlock('rule', Minus, (editor) => insertBlock(editor, { type: 'horizontalRule' })),
  dialogBlock('button', SquareMousePointer, 'anywhere'),
  columnsBlock('columns2', Columns2, 2),
  columnsBlock('columns3', Columns3, 3),
  dialogBlock('task', ClipboardCheck, 'lesson'),
  dialogBlock('test', ListTodo, 'lesson'),
]

function generalBlock(name: string, icon: LucideIcon, insert: (editor: Editor) => void): BlockChoice {
  return { name, icon, availability: 'anywhere', insert }
}

function dialogBlock(name: DialogBlock, icon: LucideIcon, where: BlockChoice['availability']): BlockChoice {
  return { name, icon, availability: where }
}

function columnsBlock(name: string, icon: LucideIcon, count: number): BlockChoice {
  const content = Array.from({ length: count }, () => column)
  return { name, icon, availability: 'lesson', insert: (editor) => insertBlock(editor, { type: 'columns', content }) }
}

/** Blocks available in this document. */
export function availableBlocks({ lesson, files, media }: EditorContext): BlockChoice[] {
  const isAvailable = {
    anywhere: true,
    files,
    media: media || lesson !== null,
    lesson: lesson !== null,
  }
  return CATALOGUE.filter(({ availability }) => isAvailable[availability])
}

export const isDialogBlock = (name: string): name is DialogBlock => DIALOG_BLOCKS.some((block) => block === name)

export const blockLabel = ({ name }: BlockChoice, t: Translate): string => t(keyFrom(`editor:block.${name}`))

/**
 * Blocks whose name contains the search text, in either language or by common names; prefix matches first. Of several
 * words each must begin a word of the name.
 */
export function findBlocks(choices: readonly BlockChoice[], searchText: string, t: Translate): BlockChoice[] {
  const query = normalize(searchText)
  const rank = (choice: BlockChoice): number => {
    const names = searchNames(choice, t)
    if (names.some((name) => name.startsWith(query))) return 0
    if (names.some((name) => name.includes(query))) return 1
    const parts = query.split(' ')
    return names.some((name) => parts.every((part) => ` ${name}`.includes(` ${part}`))) ? 1 : 2
  }
  return choices
    .map((choice) => ({ choice, rank: rank(choice) }))
    .filter((left) => left.rank < 2)
    .toSorted((left, right) => left.rank - right.rank)
    .map(({ choice }) => choice)
}

function searchNames(choice: BlockChoice, t: Translate): string[] {
  const inLanguages = [uk, en].map((names: Record<string, string>) => names[choice.name] ?? '')
  return [blockLabel(choice, t), ...inLanguages, choice.name].map(normalize)
}

const normalize = (text: string): string => text.trim().replace(/\s+/g, ' ').toLocaleLowerCase('uk')
