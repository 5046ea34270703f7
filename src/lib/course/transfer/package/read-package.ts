import { openArchive } from '#lib/core/files/archive/archive.ts'
import { withoutFolder } from '#lib/core/files/archive/archive-folder.ts'
import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import type { DocumentSplit } from '#lib/core/shared/learning.ts'
import { BUNDLE_JSON } from '../bundle-schema.ts'
import { CARTRIDGE_MANIFEST, readCartridge } from '../cartridge/read-cartridge.ts'
import type { ImportedCourse } from '../imported-course.ts'
import { isMarkdown, readMarkdown } from '../markdown/read-markdown.ts'
import { MOODLE_MANIFEST, readMoodleCourse } from '../moodle/read-moodle.ts'
import { isBundle, readBundle } from '../read-bundle.ts'
import type { DocumentPreview } from '../schema.ts'
import { WORD_DOCUMENT } from '../word/docx-markup.ts'
import { previewDocx, readDocx } from '../word/read-docx.ts'
import type { PackageLabels } from './labels.ts'
import type { TestReader } from './test-reader.ts'

/** Files at the root of a package, by which packages inside of a folder are found. */
const MANIFESTS = [BUNDLE_JSON, WORD_DOCUMENT, CARTRIDGE_MANIFEST, MOODLE_MANIFEST]

export interface PackageFile {
  /** Path on the disk. */
  path: string
  /** Original name of the file. */
  name: string
  /** How a Word document is split; null: chosen automatically. */
  split?: DocumentSplit | null
}

/**
 * Converts a file on the disk to a course. The format is detected by the content, never by the name. Tests are read by
 * `tests`; without it they are only noted. Refuses as `openArchive` and the readers do, with import_unknown for an archive
 * of another format and import_empty for one without lessons.
 */
export async function readPackage(
  file: PackageFile,
  scratch: string,
  labels: PackageLabels,
  tests: TestReader | null = null,
): Promise<ImportedCourse> {
  const archive = withoutFolder(await openArchive(file.path, scratch), MANIFESTS)
  try {
    const incoming = await readByFormat(archive, file, scratch, labels, tests)
    if (incoming.modules.every(({ lessons }) => lessons.length === 0)) throw importRefusal('import_empty')
    return incoming
  } finally {
    archive.close()
  }
}

/** Ways to split a Word document; null for a package of any other format. Refuses as `openArchive` and the reader do. */
export async function previewPackage(file: PackageFile, scratch: string): Promise<DocumentPreview | null> {
  const archive = withoutFolder(await openArchive(file.path, scratch), MANIFESTS)
  try {
    const isDocument = !isBundle(archive) && archive.names.includes(WORD_DOCUMENT)
    return isDocument ? await previewDocx(archive, file) : null
  } finally {
    archive.close()
  }
}

async function readByFormat(
  archive: Archive,
  file: PackageFile,
  scratch: string,
  labels: PackageLabels,
  tests: TestReader | null,
): Promise<ImportedCourse> {
  const has = (name: string) => archive.names.includes(name)
  if (isBundle(archive)) return readBundle(archive)
  if (has(WORD_DOCUMENT)) return readDocx(archive, file, scratch)
  if (has(CARTRIDGE_MANIFEST)) return readCartridge(archive, scratch, labels, tests)
  if (has(MOODLE_MANIFEST)) return readMoodleCourse(archive, scratch, labels, tests)
  if (isMarkdown(archive)) return readMarkdown(archive, file, scratch)
  throw importRefusal('import_unknown')
}

const importRefusal = (key: string) => new Refusal('unprocessable', { fields: { file: [key] } })
