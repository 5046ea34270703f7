/*
 * Two tabs never send one upload: the tab that does holds a lock of its name, which the browser lets go when the tab is
 * gone. Without locks (a page without TLS) every tab offers to go on; a part that comes twice does no harm.
 */
const held = new Map<string, () => void>()

export function hold(uploadId: string): void {
  if (held.has(uploadId)) return
  const until = new Promise<void>((resolve) => held.set(uploadId, resolve))
  void navigator.locks?.request(nameOf(uploadId), () => until)
}

export function release(uploadId: string): void {
  held.get(uploadId)?.()
  held.delete(uploadId)
}

/** Uploads that some tab sends, this one included. */
export async function heldUploads(): Promise<(uploadId: string) => boolean> {
  const names = new Set((await navigator.locks?.query())?.held?.map(({ name }) => name))
  return (uploadId) => held.has(uploadId) || names.has(nameOf(uploadId))
}

const nameOf = (uploadId: string) => `upload ${uploadId}`
