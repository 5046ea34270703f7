/*
 * Two tabs never send the same upload: the sending tab holds a Web Lock with its name, which the browser releases when the
 * tab is closed. Without Web Locks (a page without TLS) every tab may continue it; a part that is sent twice does no harm.
 */
const releaseFunctions = new Map<string, () => void>()

export function lockUpload(uploadId: string): void {
  if (releaseFunctions.has(uploadId)) return
  const released = new Promise<void>((resolve) => releaseFunctions.set(uploadId, resolve))
  void navigator.locks?.request(lockNameOf(uploadId), () => released)
}

export function releaseUpload(uploadId: string): void {
  releaseFunctions.get(uploadId)?.()
  releaseFunctions.delete(uploadId)
}

/** Returns a predicate: whether a tab, this one included, sends an upload. */
export async function findLockedUploads(): Promise<(uploadId: string) => boolean> {
  const names = new Set((await navigator.locks?.query())?.held?.map(({ name }) => name))
  return (uploadId) => releaseFunctions.has(uploadId) || names.has(lockNameOf(uploadId))
}

const lockNameOf = (uploadId: string) => `upload ${uploadId}`
