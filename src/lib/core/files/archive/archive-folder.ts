import type { Archive } from './archive-guard.ts'

/**
 * An archive without the folder around all of its files, when one of `markers` is inside of that folder; otherwise the
 * archive itself. Entries that macOS adds are not counted.
 */
export function withoutFolder(archive: Archive, markers: readonly string[]): Archive {
  const names = archive.names.filter((name) => !/^__MACOSX\/|(^|\/)\.DS_Store$/.test(name))
  const [first = ''] = names
  const folder = first.slice(0, first.indexOf('/') + 1)
  if (folder === '' || !names.every((name) => name.startsWith(folder))) return archive
  if (!markers.some((marker) => names.includes(`${folder}${marker}`))) return archive
  return {
    kind: archive.kind,
    names: names.map((name) => name.slice(folder.length)),
    sizeOf: (name) => archive.sizeOf(`${folder}${name}`),
    read: (name) => archive.read(`${folder}${name}`),
    extract: (name, to) => archive.extract(`${folder}${name}`, to),
    locate: (name) => archive.locate(`${folder}${name}`),
    close: () => archive.close(),
  }
}
