import type { Archive } from '#lib/core/files/archive.ts'
import type { BundleLesson } from './bundle-schema.ts'
import { childAt, childrenOf, type MarkupElement, readXml, wordsAt } from './markup.ts'
import { decoded, docOf, type Finder, isBlank, lessonOf, linkText, type PackageReading } from './package-reading.ts'
import type { LessonNode } from './schema.ts'
import { words } from './text-blocks.ts'
import type { NoteKind } from './transfer-schema.ts'

export interface Activity {
  id: string
  sectionId: string
  /** Moodle's name of the module: page, label, url, resource, folder, book ... */
  kind: string
  title: string
  directory: string
}

export interface MoodleFile {
  name: string
  /** In the archive. */
  path: string
  /** As Moodle shows it: `/` or `/pictures/`. */
  folder: string
  context: string
  area: string
  item: string
}

export interface MoodleReading {
  archive: Archive
  pack: PackageReading
  files: readonly MoodleFile[]
}

/** One activity as a lesson, or null with a note. Refuses with unprocessable (import_xml). */
export async function lessonOfActivity(reading: MoodleReading, activity: Activity): Promise<BundleLesson | null> {
  const { kind, title } = activity
  const left = LEFT[kind]
  if (left || !READ.has(kind)) {
    reading.pack.notes.add(left ?? 'activity', left ? title : `${title} (${kind})`)
    return null
  }
  const name = `${activity.directory}/${kind}.xml`
  const root = readXml((await reading.archive.read(name)) ?? Buffer.alloc(0), 'activity', name)
  const context = root.attributes.contextid ?? ''
  const body = childAt(root, kind)
  const mine = reading.files.filter((file) => file.context === context)
  const about = wordsAt(body, 'intro')
  const intro = about ? read(reading, about, title, mine, 'intro').content : []
  const blocks = docOf([...intro, ...contentOf(reading, { kind, title, body, mine })])
  if (isBlank(blocks)) reading.pack.notes.add('empty', title)
  return lessonOf(wordsAt(body, 'name') || title, blocks)
}

const READ = new Set(['page', 'label', 'url', 'resource', 'folder', 'book'])
const LEFT: Record<string, NoteKind> = {
  ...{ quiz: 'quiz', lesson: 'quiz', assign: 'assignment', workshop: 'assignment' },
  ...{ forum: 'forum', chat: 'forum', lti: 'lti' },
}

interface Body {
  kind: string
  title: string
  body: MarkupElement | undefined
  mine: readonly MoodleFile[]
}

function contentOf(reading: MoodleReading, { kind, title, body, mine }: Body): LessonNode[] {
  const offered = () => mine.filter(({ area }) => area === 'content')
  switch (kind) {
    case 'page':
      return read(reading, wordsAt(body, 'content'), title, mine, 'content').content
    case 'url':
      return linkText(wordsAt(body, 'externalurl'), wordsAt(body, 'name') || title).content
    case 'book':
      return chaptersOf(reading, body, mine)
    case 'resource':
    case 'folder': {
      const files = offered()
      if (files.length === 0) reading.pack.notes.add('fileMissing', title)
      return files.map(({ path, name }) => reading.pack.fileBlock(path, name))
    }
    default:
      return []
  }
}

function chaptersOf(
  reading: MoodleReading,
  body: MarkupElement | undefined,
  mine: readonly MoodleFile[],
): LessonNode[] {
  return childrenOf(childAt(body, 'chapters'), 'chapter').flatMap((chapter) => {
    const title = wordsAt(chapter, 'title')
    const own = mine.filter(({ item }) => item === chapter.attributes.id)
    const level = wordsAt(chapter, 'subchapter') === '1' ? 3 : 2
    const heading = title ? [{ type: 'heading', attrs: { level }, content: words(title, []) }] : []
    return [...heading, ...read(reading, wordsAt(chapter, 'content'), title, own, 'chapter').content]
  })
}

function read({ pack }: MoodleReading, html: string, title: string, files: readonly MoodleFile[], area: string) {
  return pack.text(html, title, finderOf(files, area))
}

/** `@@PLUGINFILE@@/folder/name.png` is a file of the same context; its area is the one that the text stands in. */
function finderOf(files: readonly MoodleFile[], area: string): Finder {
  return (address) => {
    const [, place] = /^@@PLUGINFILE@@(\/[^?#]*)/.exec(address) ?? []
    if (!place) return null
    const wanted = decoded(place)
    const named = files.filter((file) => file.folder + file.name === wanted)
    const found = named.find((file) => file.area === area) ?? named[0]
    return found ? { path: found.path, name: found.name } : null
  }
}
