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
  SquareMousePointer,
  Table,
} from 'lucide-react'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import type { Say } from '#lib/core/shared/text/strings.ts'
import { block as en } from '#locales/en/editor.json'
import { block as uk } from '#locales/uk/editor.json'
import type { Desk } from '../desk.ts'
import { insertBlock } from './block-acts.ts'
import { emptyTable } from './table-nodes.ts'

/** Blocks of which something is to be asked before they can stand in a text. */
export const ASKED = ['image', 'gallery', 'video', 'audio', 'pdf', 'file', 'embed', 'button', 'task'] as const
export type Asked = (typeof ASKED)[number]

export interface BlockChoice {
  /** Its words are `editor:block.<name>`. */
  name: string
  icon: LucideIcon
  /** `files` need the storage, `lesson` stand in lessons only. */
  where: 'anywhere' | 'files' | 'lesson'
  /** Puts it in at once; without it, `name` is asked about. */
  insert?: (editor: Editor) => void
}

const paragraph = { type: 'paragraph' }
const column = { type: 'column', content: [paragraph] }

const heading = (level: 2 | 3 | 4) => (editor: Editor) => editor.chain().focus().setNode('heading', { level }).run()

/** Every block that an author may put in, in the order of the menus. */
const CATALOGUE: readonly BlockChoice[] = [
  anywhere('paragraph', Pilcrow, (editor) => editor.chain().focus().setParagraph().run()),
  anywhere('heading2', Heading2, heading(2)),
  anywhere('heading3', Heading3, heading(3)),
  anywhere('heading4', Heading4, heading(4)),
  anywhere('bulletList', List, (editor) => editor.chain().focus().toggleBulletList().run()),
  anywhere('orderedList', ListOrdered, (editor) => editor.chain().focus().toggleOrderedList().run()),
  anywhere('taskList', ListChecks, (editor) => editor.chain().focus().toggleTaskList().run()),
  asked('image', Image, 'files'),
  asked('gallery', Images, 'files'),
  asked('video', Film, 'lesson'),
  asked('audio', AudioLines, 'lesson'),
  asked('file', Paperclip, 'files'),
  asked('pdf', FileText, 'files'),
  asked('embed', Globe, 'lesson'),
  anywhere('blockquote', Quote, (editor) => editor.chain().focus().toggleBlockquote().run()),
  anywhere('callout', MessageSquareQuote, (editor) =>
    insertBlock(editor, { type: 'callout', attrs: { tone: 'info' }, content: [paragraph] }),
  ),
  anywhere('codeBlock', Code2, (editor) => editor.chain().focus().toggleCodeBlock().run()),
  anywhere('table', Table, (editor) => insertBlock(editor, emptyTable())),
  anywhere('rule', Minus, (editor) => insertBlock(editor, { type: 'horizontalRule' })),
  asked('button', SquareMousePointer, 'anywhere'),
  columns('columns2', Columns2, 2),
  columns('columns3', Columns3, 3),
  asked('task', ClipboardCheck, 'lesson'),
  {
    name: 'test',
    icon: ListTodo,
    where: 'lesson',
    insert: (editor) => insertBlock(editor, { type: 'test', attrs: { testId: null } }),
  },
]

function anywhere(name: string, icon: LucideIcon, insert: (editor: Editor) => void): BlockChoice {
  return { name, icon, where: 'anywhere', insert }
}

function asked(name: Asked, icon: LucideIcon, where: BlockChoice['where']): BlockChoice {
  return { name, icon, where }
}

function columns(name: string, icon: LucideIcon, count: number): BlockChoice {
  const content = Array.from({ length: count }, () => column)
  return { name, icon, where: 'lesson', insert: (editor) => insertBlock(editor, { type: 'columns', content }) }
}

/** What may be put into this text. */
export function choicesFor({ lesson, files }: Desk): BlockChoice[] {
  return CATALOGUE.filter(({ where }) => where === 'anywhere' || (where === 'files' ? files : lesson !== null))
}

export const isAsked = (name: string): name is Asked => ASKED.some((one) => one === name)

export const nameOf = ({ name }: BlockChoice, say: Say): string => say(keyFrom(`editor:block.${name}`))

/**
 * Those whose name holds what is typed, in either language of the product or by the word that other editors use; a
 * beginning comes first. Of several words each must begin a word of the name.
 */
export function findBlocks(choices: readonly BlockChoice[], typed: string, say: Say): BlockChoice[] {
  const query = plainWords(typed)
  const rank = (choice: BlockChoice): number => {
    const names = namesOf(choice, say)
    if (names.some((name) => name.startsWith(query))) return 0
    if (names.some((name) => name.includes(query))) return 1
    const parts = query.split(' ')
    return names.some((name) => parts.every((part) => ` ${name}`.includes(` ${part}`))) ? 1 : 2
  }
  return choices
    .map((choice) => ({ choice, rank: rank(choice) }))
    .filter((one) => one.rank < 2)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ choice }) => choice)
}

function namesOf(choice: BlockChoice, say: Say): string[] {
  const inLanguages = [uk, en].map((names: Record<string, string>) => names[choice.name] ?? '')
  return [nameOf(choice, say), ...inLanguages, choice.name].map(plainWords)
}

const plainWords = (text: string): string => text.trim().replace(/\s+/g, ' ').toLocaleLowerCase('uk')
