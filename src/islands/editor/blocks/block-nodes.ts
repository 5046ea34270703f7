import { Node, type NodeConfig } from '@tiptap/core'
import { ReactNodeViewRenderer } from '@tiptap/react'
import { parseEmbed } from '#lib/core/shared/embed.ts'
import { CALLOUT_TONES, LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { FILE_PATH } from '#lib/core/shared/stored-file.ts'
import { ButtonView } from './ButtonView.tsx'
import { CalloutView } from './CalloutView.tsx'
import { EmbedView } from './EmbedView.tsx'
import { FileView } from './FileView.tsx'
import { GalleryView } from './GalleryView.tsx'
import { ImageView } from './ImageView.tsx'
import { MediaView } from './MediaView.tsx'
import { TaskView } from './TaskView.tsx'
import { TestView } from './TestView.tsx'
import { UploadView } from './UploadView.tsx'

/** Group of blocks allowed at the top level only. */
const TOP = 'top'

const Image = Node.create({
  name: 'image',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({ src: { default: null }, alt: { default: '', parseHTML: (tag) => readAlt(tag) } }),
  // Only images of the tenant's storage are accepted from the clipboard.
  parseHTML: () => [
    { tag: `img[src^="${FILE_PATH}"]`, getAttrs: (tag) => acceptsBlock('image', { src: tag.getAttribute('src') }) },
  ],
  renderHTML: ({ HTMLAttributes }) => ['img', HTMLAttributes],
  addNodeView: () => ReactNodeViewRenderer(ImageView),
})

const readAlt = (tag: HTMLElement): string => (tag.getAttribute('alt') ?? '').slice(0, 500)

const Gallery = Node.create({
  name: 'gallery',
  group: 'block',
  content: 'image+',
  draggable: true,
  isolating: true,
  parseHTML: () => [{ tag: 'div[data-lesson="gallery"]' }],
  renderHTML: () => ['div', { 'data-lesson': 'gallery' }, 0],
  addNodeView: () => ReactNodeViewRenderer(GalleryView),
})

const Callout = Node.create({
  name: 'callout',
  group: 'block',
  content: 'block+',
  defining: true,
  addAttributes: () => ({
    tone: {
      default: 'info',
      parseHTML: (tag) => CALLOUT_TONES.find((tone) => tone === tag.getAttribute('data-tone')) ?? 'info',
      renderHTML: ({ tone }) => ({ 'data-tone': tone }),
    },
  }),
  parseHTML: () => [{ tag: 'div[data-lesson="callout"]' }],
  renderHTML: ({ HTMLAttributes }) => ['div', { ...HTMLAttributes, 'data-lesson': 'callout' }, 0],
  addNodeView: () => ReactNodeViewRenderer(CalloutView),
})

const Columns = Node.create({
  name: 'columns',
  group: TOP,
  content: 'column{2,3}',
  isolating: true,
  parseHTML: () => [{ tag: 'div[data-lesson="columns"]' }],
  renderHTML: ({ node }) => [
    'div',
    { 'data-lesson': 'columns', class: 'lesson-columns', 'data-count': node.childCount },
    0,
  ],
})

const Column = Node.create({
  name: 'column',
  content: 'block+',
  isolating: true,
  parseHTML: () => [{ tag: 'div[data-lesson="column"]' }],
  renderHTML: () => ['div', { 'data-lesson': 'column', class: 'lesson-column' }, 0],
})

/** A block without text; its content is in attributes. */
function createAtomBlock(name: string, attributes: readonly string[], config: Partial<NodeConfig> = {}) {
  return Node.create({
    name,
    group: 'block',
    atom: true,
    draggable: true,
    addAttributes: () =>
      Object.fromEntries(
        attributes.map((name) => [
          name,
          {
            default: null,
            // Kept as a string: a file named «2026» is not a number.
            parseHTML: (tag: HTMLElement) => tag.getAttribute(`data-${name}`),
            renderHTML: (values: Record<string, unknown>) =>
              values[name] === null ? {} : { [`data-${name}`]: values[name] },
          },
        ]),
      ),
    parseHTML: () => [
      {
        tag: `div[data-lesson="${name}"]`,
        getAttrs: (tag) =>
          acceptsBlock(name, Object.fromEntries(attributes.map((name) => [name, tag.getAttribute(`data-${name}`)]))),
      },
    ],
    renderHTML: ({ HTMLAttributes }) => ['div', { ...HTMLAttributes, 'data-lesson': name }],
    ...config,
  })
}

/** Accepts clipboard content that the lesson schema accepts. */
function acceptsBlock(type: string, attrs: Record<string, unknown>): null | false {
  return LessonDoc.safeParse({ type: 'doc', content: [{ type, attrs }] }).success ? null : false
}

const Embed = createAtomBlock('embed', ['url', 'title'], {
  group: TOP,
  addAttributes: () => ({
    url: {
      default: null,
      parseHTML: (tag) => parseEmbed(tag.getAttribute('data-url') ?? tag.getAttribute('src') ?? '')?.url,
      renderHTML: ({ url }) => ({ 'data-url': url }),
    },
    title: {
      default: '',
      parseHTML: (tag) => (tag.getAttribute('data-title') ?? '').slice(0, 200),
      renderHTML: ({ title }) => ({ 'data-title': title }),
    },
  }),
  parseHTML: () => [
    {
      tag: 'div[data-lesson="embed"]',
      getAttrs: (tag) => (parseEmbed(tag.getAttribute('data-url') ?? '') ? null : false),
    },
    { tag: 'iframe[src]', getAttrs: (tag) => (parseEmbed(tag.getAttribute('src') ?? '') ? null : false) },
  ],
  addNodeView: () => ReactNodeViewRenderer(EmbedView),
})

const media = { group: TOP, addNodeView: () => ReactNodeViewRenderer(MediaView) }
const files = { addNodeView: () => ReactNodeViewRenderer(FileView) }
const tasks = { group: TOP, addNodeView: () => ReactNodeViewRenderer(TaskView) }
const tests = { group: TOP, addNodeView: () => ReactNodeViewRenderer(TestView) }

/** The blocks of a lesson that StarterKit does not have; their attributes are those of LessonDoc. */
export const blockNodes = [
  Image,
  Gallery,
  Callout,
  Columns,
  Column,
  Embed,
  createAtomBlock('video', ['fileId'], media),
  createAtomBlock('audio', ['fileId'], media),
  createAtomBlock('file', ['fileId', 'name'], files),
  createAtomBlock('pdf', ['fileId', 'name'], files),
  createAtomBlock('button', ['label', 'href'], { addNodeView: () => ReactNodeViewRenderer(ButtonView) }),
  createAtomBlock('task', ['taskId'], tasks),
  createAtomBlock('test', ['testId'], tests),
  createAtomBlock('upload', ['key', 'fileId', 'name'], {
    group: TOP,
    addNodeView: () => ReactNodeViewRenderer(UploadView),
  }),
]
