import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import { childrenOf, textAtPath } from '../markup.ts'
import { decodeUri, type FindPackageFile } from '../package/package-reader.ts'
import { readPart } from './read-part.ts'

export interface MoodleFile {
  name: string
  /** Path in the archive. */
  path: string
  /** Folder in Moodle: `/` or `/pictures/`. */
  folder: string
  context: string
  component: string
  area: string
  item: string
}

/** The files of a backup by context, component, area and item, by which texts refer to them; without folders. */
export async function readFiles(archive: Archive): Promise<MoodleFile[]> {
  if (!archive.names.includes('files.xml')) return []
  const root = await readPart(archive, 'files.xml', 'files')
  return childrenOf(root, 'file').flatMap((element) => {
    const hash = textAtPath(element, 'contenthash')
    const name = textAtPath(element, 'filename')
    if (!/^[0-9a-f]{40}$/.test(hash) || name === '' || name === '.') return []
    return [
      {
        name,
        path: `files/${hash.slice(0, 2)}/${hash}`,
        folder: textAtPath(element, 'filepath'),
        context: textAtPath(element, 'contextid'),
        component: textAtPath(element, 'component'),
        area: textAtPath(element, 'filearea'),
        item: textAtPath(element, 'itemid'),
      },
    ]
  })
}

/**
 * Resolves `@@PLUGINFILE@@/folder/name.png` to a file of the context that the text belongs to. Files of the text's own
 * area and item take precedence over others of that name.
 */
export function createFinder(files: readonly MoodleFile[], area: string, item?: string): FindPackageFile {
  return (address) => {
    const [, encodedPath] = /^@@PLUGINFILE@@(\/[^?#]*)/.exec(address) ?? []
    if (!encodedPath) return null
    const filePath = decodeUri(encodedPath)
    const candidates = files.filter((file) => file.folder + file.name === filePath)
    const inArea = candidates.filter((file) => file.area === area)
    const file = inArea.find((file) => file.item === item) ?? inArea[0] ?? candidates[0]
    return file ? { path: file.path, name: file.name } : null
  }
}
