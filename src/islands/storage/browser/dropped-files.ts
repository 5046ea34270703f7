import type { AddedFile } from '#islands/stores/upload/added-file.ts'

/** Data type of dragged rows of this page: their ids. */
export const ROW_DATA_TYPE = 'application/x-kafedra-files'

export const hasRows = (data: DataTransfer): boolean => data.types.includes(ROW_DATA_TYPE)
export const hasFiles = (data: DataTransfer): boolean => data.types.includes('Files')

/**
 * All files of a drop, with the names of their folders. Entries are read before the first await, when the browser
 * discards them.
 */
export async function readDroppedFiles(data: DataTransfer, parentId: string | null): Promise<AddedFile[]> {
  const entries = [...data.items].flatMap((item) => (item.kind === 'file' ? [item.webkitGetAsEntry()] : []))
  const files: AddedFile[] = []
  for (const entry of entries)
    if (entry) await walkEntry(entry, [], (file, path) => files.push({ file, parentId, path }))
  return files
}

/** As readDroppedFiles, for a chosen folder: browsers give its files with their paths. */
export function toAddedFiles(list: FileList, parentId: string | null): AddedFile[] {
  return [...list].map((file) => ({ file, parentId, path: file.webkitRelativePath.split('/').slice(0, -1) }))
}

async function walkEntry(
  entry: FileSystemEntry,
  path: string[],
  take: (file: File, path: string[]) => void,
): Promise<void> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    // Metadata files of operating systems are skipped.
    if (!/^(\.DS_Store|Thumbs\.db|desktop\.ini)$/i.test(file.name)) take(file, path)
  } else if (isFolder(entry)) {
    const reader = entry.createReader()
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
      if (some.length === 0) return
      for (const inner of some) await walkEntry(inner, [...path, entry.name], take)
    }
  }
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
