import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/** Stores a file that was posted with a form in a temporary folder while `use` runs, which gets its path. */
export async function withPostedFile<T>(file: File, use: (localPath: string) => Promise<T>): Promise<T> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'posted-'))
  try {
    const localPath = path.join(folder, 'file')
    await fs.writeFile(localPath, file.stream())
    return await use(localPath)
  } finally {
    await fs.rm(folder, { recursive: true, force: true })
  }
}
