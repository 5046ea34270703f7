import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { newId } from '#lib/core/db/id.ts'
import type { Archive } from '#lib/core/files/archive.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { BundleLesson } from './bundle-schema.ts'
import { docFromNodes, type HtmlReading } from './html.ts'
import { type Incoming, type IncomingFile, Notes } from './incoming.ts'
import { type Markup, type MarkupElement, readHtml, textOf, wordsOf } from './markup.ts'
import { docOf, embedBlock, isBlank, lessonOf, moduleOf, titleOf } from './package-reading.ts'
import { srcOf } from './schema.ts'

export const WORD_TEXT = 'word/document.xml'
/** Bytes of all that a document unfolds to: its library holds all of it in memory. */
const MOST_INSIDE = 256 * 1024 ** 2

/**
 * A document of Word or Google Docs: each heading of the highest level begins a lesson; the document's title, or a lone
 * heading before them, names the course. Refuses with unprocessable (import_xml, archive_damaged), too_large.
 */
export async function readDocx(archive: Archive, file: { path: string; name: string }, scratch: string) {
  await check(archive)
  const notes = new Notes()
  const files: IncomingFile[] = []
  const html = await htmlOf(file.path, async (bytes, contentType) => {
    const id = newId()
    const place = path.join(scratch, `picture-${files.length}`)
    await writeFile(place, bytes)
    const name = `${files.length + 1}.${/^image\/([a-z]{3,4})/.exec(contentType)?.[1] ?? 'bin'}`
    const extract = async (to: string) => {
      await writeFile(to, bytes)
      return true
    }
    files.push({ id, name, description: '', redraw: true, extract })
    return srcOf(id)
  })
  const { title, parts } = partsOf(readHtml(html).children)
  const courseTitle = titleOf(title, titleOf(file.name.replace(/\.docx$/i, '')))
  const reading = readingOf(notes, courseTitle)
  const lessons = parts.flatMap(({ heading, nodes }): BundleLesson[] => {
    const blocks = docFromNodes(nodes, reading)
    return heading === null && isBlank(blocks) ? [] : [lessonOf(heading ?? courseTitle, docOf(blocks.content))]
  })
  return {
    format: 'docx',
    ...{
      course: { title: courseTitle },
      modules: [moduleOf(courseTitle, lessons)],
      files,
      notes: notes.list,
      more: null,
    },
  } satisfies Incoming
}

function readingOf(notes: Notes, title: string): HtmlReading {
  return {
    picture: (src) => (src.startsWith('/v1/file/') ? src : null),
    file: embedBlock,
    frame: (src) => {
      notes.add('frame', title)
      return embedBlock(src)
    },
  }
}

/** The library unfolds everything before it looks: what is inside is looked at first. */
async function check(archive: Archive): Promise<void> {
  let inside = 0
  for (const name of archive.names) {
    inside += archive.sizeOf(name)
    if (inside > MOST_INSIDE) throw new Refusal('too_large')
  }
  for (const name of archive.names) {
    const bytes = await archive.read(name)
    if (/\.(xml|rels)$/i.test(name) && bytes && /<!(doctype|entity)/i.test(textOf(bytes))) {
      throw new Refusal('unprocessable', { fields: { file: ['import_xml'] }, variables: { path: name } })
    }
  }
}

async function htmlOf(file: string, keep: (bytes: Buffer, contentType: string) => Promise<string>): Promise<string> {
  // Its library takes memory that a process without imports need not have.
  const { default: mammoth } = await import('mammoth')
  try {
    const { value } = await mammoth.convertToHtml(
      { path: file },
      {
        convertImage: mammoth.images.imgElement(async (image) => ({
          src: await keep(await image.readAsBuffer(), image.contentType),
        })),
        styleMap: ["p[style-name='Title'] => h1.title:fresh", "p[style-name='Subtitle'] => p:fresh"],
        externalFileAccess: false,
      },
    )
    return value
  } catch (error) {
    if (error instanceof Refusal) throw error
    // Whatever the library dislikes about a file from outside, the answer is the same.
    throw new Refusal('unprocessable', { fields: { file: ['archive_damaged'] } })
  }
}

interface Part {
  heading: string | null
  nodes: Markup[]
}

function partsOf(nodes: readonly Markup[]): { title: string; parts: Part[] } {
  const named = nodes.find((node) => isTitle(node))
  let body = nodes.filter((node) => node !== named)
  let title = named ? wordsOf(named).trim() : ''
  const [first, ...others] = levelsOf(body)
  const lone = first !== undefined && others.length > 1 && others.every((level) => level > first)
  if (!title && lone) {
    const head = body.find((node) => levelOf(node) === first)
    title = wordsOf(head).trim()
    body = body.filter((node) => node !== head)
  }
  const split = Math.min(...levelsOf(body))
  const parts: Part[] = [{ heading: null, nodes: [] }]
  for (const node of body) {
    const level = levelOf(node)
    if (level === split) parts.push({ heading: wordsOf(node).trim(), nodes: [] })
    else parts.at(-1)?.nodes.push(level !== null && typeof node !== 'string' ? lifted(node, level - split + 1) : node)
  }
  return { title, parts }
}

const isTitle = (node: Markup): boolean => typeof node !== 'string' && node.attributes.class === 'title'

const levelsOf = (nodes: readonly Markup[]): number[] => nodes.flatMap((node) => levelOf(node) ?? [])

/** An empty heading begins nothing. */
function levelOf(node: Markup): number | null {
  const level = typeof node === 'string' ? undefined : /^h([1-6])$/.exec(node.name)?.[1]
  return level && wordsOf(node).trim() ? Number(level) : null
}

const lifted = (node: MarkupElement, level: number): MarkupElement => ({ ...node, name: `h${Math.min(level, 6)}` })
