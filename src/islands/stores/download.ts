const RELEASE_MS = 10_000

/** Downloads a text as a file. Characters that file systems refuse are replaced by spaces in the name. */
export function downloadText(fileName: string, content: string, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = fileName.replace(/[\\/:*?"<>|]+/g, ' ')
  link.click()
  // Some browsers read the content after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), RELEASE_MS)
}
