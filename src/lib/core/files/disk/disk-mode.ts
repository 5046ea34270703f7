import { mkdir } from 'node:fs/promises'

/** Uploaded files are readable only by the account of the server, whatever its umask. */
export const FILE_MODE = 0o600

/** Creates a folder and those above it that are missing, for their owner only. */
export async function createFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
}
