import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { canvasPackage } from '../../../setup/course/canvas-package.ts'
import { moodlePackage } from '../../../setup/course/moodle-package.ts'
import { docxOf, PICTURE, paragraph, tarOf, zipOf } from '../../../setup/course/packages.ts'
import { imported } from '../../../setup/course/transfers.ts'
import { compareImport } from '../../../setup/source/balance.ts'
import { readImportedContent } from '../../../setup/source/imported.ts'
import { readSource } from '../../../setup/source/source.ts'
import { createTestTenant } from '../../../setup/tenants.ts'

/*
 * The content of a course file, counted without the importer, equals the imported content plus the report. `npm test`
 * uses generated files, `npm run soak -- imports <folder>` every file of a folder (IMPORT_FOLDER, results in
 * IMPORT_RESULTS).
 */
const { IMPORT_FOLDER: folder, IMPORT_RESULTS: results } = process.env

type File = [name: string, bytes: () => Promise<Buffer<ArrayBuffer>>]

const OWN: File[] = [
  ['course.mbz', () => tarOf(moodlePackage())],
  ['course.imscc', async () => zipOf(canvasPackage())],
  ['course.docx', async () => docxOf([paragraph('Тема', 'H1'), paragraph('Слова'), PICTURE].join(''))],
]

const isCourse = (name: string) => /\.(mbz|imscc|docx|zip)$/i.test(name)
const given = folder ? (await readdir(folder)).filter(isCourse).sort() : []
const files: File[] = folder ? given.map((name) => [name, () => readFile(path.join(folder, name))]) : OWN

test.each(files)('%s is imported without silent loss', { timeout: 300_000 }, async (name, read) => {
  const bytes = await read()
  const { as } = await createTestTenant()
  const result = compareImport(
    await readSource(bytes),
    await readImportedContent(as.EXPERT, await imported(as.EXPERT, name, bytes)),
  )
  if (results) await writeFile(path.join(results, `${name}.json`), JSON.stringify({ name, ...result }))
  const { characters, files, links, lost } = result
  expect({ characters: characters.missing, files: files.missing, links: links.missing, lost }).toEqual({
    characters: 0,
    files: 0,
    links: 0,
    lost: [],
  })
})
