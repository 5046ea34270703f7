import { GlobalWorkerOptions, getDocument, type PDFDocumentLoadingTask, type PDFDocumentProxy } from 'pdfjs-dist'
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { fitPage } from './pdf-page.ts'

GlobalWorkerOptions.workerSrc = workerAddress

/** Starts loading a PDF, page by page if the server supports ranges. Scripts and compiled fonts are disabled. */
export const loadPdf = (address: string): PDFDocumentLoadingTask =>
  getDocument({ url: address, enableXfa: false, disableAutoFetch: true, useSystemFonts: true })

/**
 * Draws a page with a width in pixels. Returns a function that cancels it, and a promise that resolves when it is
 * finished: false when it was canceled.
 */
export function renderPdfPage(
  pdf: PDFDocumentProxy,
  number: number,
  canvas: HTMLCanvasElement,
  wide: number,
): { cancel: () => void; done: Promise<boolean> } {
  let stop = () => {}
  let gone = false
  const draw = async (): Promise<boolean> => {
    const page = await pdf.getPage(number)
    if (gone) return false
    const viewport = fitPage(page, wide)
    canvas.width = Math.floor(viewport.width)
    canvas.height = Math.floor(viewport.height)
    const task = page.render({ canvas, viewport })
    stop = () => task.cancel()
    return task.promise.then(
      () => true,
      () => false,
    )
  }
  const cancel = (): void => {
    gone = true
    stop()
  }
  return { cancel, done: draw() }
}
