import { GlobalWorkerOptions, getDocument, type PDFDocumentLoadingTask, type PDFDocumentProxy } from 'pdfjs-dist'
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { fitPage } from './pdf-page.ts'

GlobalWorkerOptions.workerSrc = workerAddress

/** Begins to load a PDF, page by page where the server gives ranges. Nothing in it is run: no scripts, no compiled fonts. */
export const loadPdf = (address: string): PDFDocumentLoadingTask =>
  getDocument({ url: address, enableXfa: false, disableAutoFetch: true, useSystemFonts: true })

/** Draws a page so many pixels wide. Gives the way to stop it, and when it is done: false when it was stopped. */
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
