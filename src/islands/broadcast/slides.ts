import type { PDFDocumentProxy } from 'pdfjs-dist'
import { loadPdf, renderPdfPage } from './pdf.ts'

export interface SlideDeck {
  readonly pageCount: number
  /** Ratio of height to width of a page, from 1. */
  ratio(page: number): Promise<number>
  /**
   * Draws a page for a container with this size in CSS pixels, and then the next page in advance. False when a later
   * call replaced it.
   */
  draw(page: number, canvas: HTMLCanvasElement, place: { width: number }): Promise<boolean>
  close(): void
}

/** Maximum width in pixels, which limits the memory on phones. */
const MAX_WIDTH_PX = 2560
/** Maximum number of cached pages. */
const MAX_CACHED_PAGES = 4

/** Opens a PDF for presentation. Rejects when it cannot be loaded. */
export async function openSlideDeck(address: string): Promise<SlideDeck> {
  const task = loadPdf(address)
  const pdf = await task.promise
  const running = new WeakMap<HTMLCanvasElement, () => void>()
  const drawn = new Map<string, Promise<HTMLCanvasElement | null>>()

  function drawing(page: number, wide: number): Promise<HTMLCanvasElement | null> {
    const key = `${page}/${wide}`
    const known = drawn.get(key)
    if (known) return known
    const rendering = renderPage(pdf, page, wide).catch(() => null)
    drawn.set(key, rendering)
    // A page that could not be drawn is retried at the next call.
    void rendering.then((canvas) => canvas ?? drawn.delete(key))
    for (const old of [...drawn.keys()].slice(0, -MAX_CACHED_PAGES)) drawn.delete(old)
    return rendering
  }

  return {
    pageCount: pdf.numPages,
    async ratio(page) {
      const { width, height } = (await pdf.getPage(page)).getViewport({ scale: 1 })
      return height / width
    },
    async draw(page, canvas, { width }) {
      running.get(canvas)?.()
      let isCurrent = true
      running.set(canvas, () => {
        isCurrent = false
      })
      const wide = Math.min(MAX_WIDTH_PX, Math.max(1, Math.round(width * (globalThis.devicePixelRatio || 1))))
      const picture = await drawing(page, wide)
      if (!isCurrent || !picture) return false
      canvas.width = picture.width
      canvas.height = picture.height
      canvas.getContext('2d')?.drawImage(picture, 0, 0)
      if (page < pdf.numPages) void drawing(page + 1, wide)
      return true
    },
    close() {
      drawn.clear()
      void task.destroy()
    },
  }
}

async function renderPage(pdf: PDFDocumentProxy, page: number, wide: number): Promise<HTMLCanvasElement | null> {
  const canvas = document.createElement('canvas')
  return (await renderPdfPage(pdf, page, canvas, wide).done) ? canvas : null
}
