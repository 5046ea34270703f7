import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import { childrenOf, wordsAt } from '../markup.ts'
import { decoded, type Finder } from '../package/reading.ts'
import { readPart } from './part.ts'

export interface MoodleFile {
  name: string
  /** In the archive. */
  path: string
  /** As Moodle shows it: `/` or `/pictures/`. */
  folder: string
  context: string
  component: string
  area: string
  item: string
}

/** The files of a backup by the context, component, area and item in which its texts name them, without folders. */
export async function moodleFiles(archive: Archive): Promise<MoodleFile[]> {
  if (!archive.names.includes('files.xml')) return []
  const root = await readPart(archive, 'files.xml', 'files')
  return childrenOf(root, 'file').flatMap((one) => {
    const hash = wordsAt(one, 'contenthash')
    const name = wordsAt(one, 'filename')
    if (!/^[0-9a-f]{40}$/.test(hash) || name === '' || name === '.') return []
    return [
      {
        name,
        path: `files/${hash.slice(0, 2)}/${hash}`,
        folder: wordsAt(one, 'filepath'),
        context: wordsAt(one, 'contextid'),
        component: wordsAt(one, 'component'),
        area: wordsAt(one, 'filearea'),
        item: wordsAt(one, 'itemid'),
      },
    ]
  })
}

/**
 * `@@PLUGINFILE@@/folder/name.png` is a file of the context that the text belongs to. Its area and item are those that
 * the text stands in, where there are several of that name.
 */
export function moodleFinder(files: readonly MoodleFile[], area: string, item?: string): Finder {
  return (address) => {
    const [, place] = /^@@PLUGINFILE@@(\/[^?#]*)/.exec(address) ?? []
    if (!place) return null
    const wanted = decoded(place)
    const named = files.filter((file) => file.folder + file.name === wanted)
    const inArea = named.filter((file) => file.area === area)
    const found = inArea.find((file) => file.item === item) ?? inArea[0] ?? named[0]
    return found ? { path: found.path, name: found.name } : null
  }
}
