import path from 'node:path/posix'
import type { Archive } from '#lib/core/files/archive.ts'
import type { BundleLesson, BundleModule } from './bundle-schema.ts'
import type { Incoming } from './incoming.ts'
import { childAt, childrenOf, readXml, wordsAt } from './markup.ts'
import { type Activity, lessonOfActivity, type MoodleFile, type MoodleReading } from './moodle-activity.ts'
import { docOf, lessonOf, moduleOf, PackageReading, titleOf } from './package-reading.ts'

export const MOODLE_MANIFEST = 'moodle_backup.xml'

/**
 * A course backup of Moodle 2 and later: pages, labels, files, folders, links and books, by sections. Everything else is
 * named in the notes. Source: Moodle's backup format 2.0 (docs.moodle.org/dev/Backup_2.0_general_architecture).
 * Refuses with unprocessable (import_xml).
 */
export async function readMoodle(archive: Archive): Promise<Incoming> {
  const manifest = await xml(archive, MOODLE_MANIFEST, 'moodle_backup')
  const information = childAt(manifest, 'information')
  const title = titleOf(wordsAt(information, 'original_course_fullname'), 'Moodle')
  const pack = new PackageReading(archive)
  const reading = { archive, pack, files: await filesOf(archive) }
  const contents = childAt(information, 'contents')
  const activities = childrenOf(childAt(contents, 'activities'), 'activity').map(
    (one): Activity => ({
      id: wordsAt(one, 'moduleid'),
      sectionId: wordsAt(one, 'sectionid'),
      kind: wordsAt(one, 'modulename'),
      title: wordsAt(one, 'title'),
      directory: path.normalize(wordsAt(one, 'directory')),
    }),
  )
  const modules: BundleModule[] = []
  for (const section of childrenOf(childAt(contents, 'sections'), 'section')) {
    const id = wordsAt(section, 'sectionid')
    const own = activities.filter(({ sectionId }) => sectionId === id)
    const made = await moduleOfSection(reading, path.normalize(wordsAt(section, 'directory')), own, modules.length + 1)
    if (made) modules.push(made)
  }
  const { files, notes } = pack
  return { format: 'moodle', ...{ course: { title }, modules, files, notes: notes.list, more: null } }
}

async function moduleOfSection(
  reading: MoodleReading,
  directory: string,
  activities: readonly Activity[],
  number: number,
): Promise<BundleModule | null> {
  const section = await xml(reading.archive, `${directory}/section.xml`, 'section')
  const title = wordsAt(section, 'name') || String(number)
  const order = wordsAt(section, 'sequence').split(',')
  const lessons: BundleLesson[] = []
  // What Moodle shows between the activities stands here at the head of the next lesson.
  let before: BundleLesson['blocks']['content'] = []
  const summary = wordsAt(section, 'summary')
  if (summary) before.push(...reading.pack.text(summary, title, () => null).content)
  for (const activity of [...activities].sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))) {
    const lesson = await lessonOfActivity(reading, activity)
    if (!lesson) continue
    if (activity.kind === 'label') {
      before.push(...lesson.blocks.content)
      continue
    }
    lessons.push({ ...lesson, blocks: docOf([...before, ...lesson.blocks.content]) })
    before = []
  }
  if (before.length > 0) lessons.push(lessonOf(title, docOf(before)))
  if (lessons.length === 0) return null
  return { ...moduleOf(title, lessons), hidden: wordsAt(section, 'visible') === '0' }
}

/** Files by the context, component, area and item in which pages name them. */
async function filesOf(archive: Archive): Promise<MoodleFile[]> {
  if (!archive.names.includes('files.xml')) return []
  const root = await xml(archive, 'files.xml', 'files')
  return childrenOf(root, 'file').flatMap((one) => {
    const hash = wordsAt(one, 'contenthash')
    const name = wordsAt(one, 'filename')
    if (!/^[0-9a-f]{40}$/.test(hash) || name === '' || name === '.') return []
    return [
      {
        ...{ name, path: `files/${hash.slice(0, 2)}/${hash}`, folder: wordsAt(one, 'filepath') },
        ...{ context: wordsAt(one, 'contextid'), area: wordsAt(one, 'filearea'), item: wordsAt(one, 'itemid') },
      },
    ]
  })
}

async function xml(archive: Archive, name: string, root: string) {
  return readXml((await archive.read(name)) ?? Buffer.alloc(0), root, name)
}
