import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { MediaError } from '#lib/core/media/media-task.ts'
import { convertToPdf, findConverter } from '#lib/core/media/office-converter.ts'
import { CONVERTIBLE } from '#lib/storage/presentation/schema.ts'

/**
 * Converts every presentation of a folder to PDF by the installed LibreOffice, and prints the size of each result and the
 * time it took. Returns whether all were converted.
 */
export async function soakPresentations(folder: string | undefined): Promise<boolean> {
  const converter = await findConverter()
  if (!folder || !converter) {
    console.log(folder ? 'presentations: LibreOffice is not installed' : 'presentations: no folder was given')
    return !folder
  }
  console.log(converter.version)
  const names = (await readdir(folder, { recursive: true })).filter((name) => CONVERTIBLE.test(name)).sort()
  let failed = 0
  for (const name of names) {
    const scratch = await mkdtemp(path.join(os.tmpdir(), 'presentation-'))
    const startedAt = Date.now()
    try {
      const signal = AbortSignal.timeout(600_000)
      const pdf = await convertToPdf(converter, path.resolve(folder, name), { folder: scratch, signal })
      const { length } = await readFile(pdf)
      console.log(`${name}: ${length} bytes in ${Date.now() - startedAt} ms`)
    } catch (error) {
      if (!(error instanceof MediaError)) throw error
      failed += 1
      console.log(`${name}: ${error.fault}`)
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
  }
  console.log(`converted ${names.length - failed}, failed ${failed}`)
  return failed === 0
}
