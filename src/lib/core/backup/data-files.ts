import { opendir, stat } from 'node:fs/promises'
import path from 'node:path'

// The key that encrypts secrets, recordings that were not composed yet, and emails that were not sent.
const BACKED_UP_PATHS = ['secret.key', 'broadcast/recording', 'outbox']

/**
 * Paths, relative to the data directory, of the files that a backup includes in addition to the database and the
 * objects.
 */
export async function* listDataFiles(dataDir: string): AsyncGenerator<string> {
  for (const name of BACKED_UP_PATHS) yield* listFilesBelow(dataDir, name)
}

async function* listFilesBelow(root: string, name: string): AsyncGenerator<string> {
  const stats = await stat(path.join(root, name)).catch(() => null)
  if (stats?.isFile()) yield name
  if (!stats?.isDirectory()) return
  for await (const entry of await opendir(path.join(root, name))) yield* listFilesBelow(root, `${name}/${entry.name}`)
}
