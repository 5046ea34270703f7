import type { PageViewport, PDFPageProxy } from 'pdfjs-dist'

/**
 * The viewport of a page with a width in pixels: within its crop box, with the rotation of the file. Shares of this
 * viewport denote the same position of the page at every width.
 */
export const fitPage = (page: Pick<PDFPageProxy, 'getViewport'>, wide: number): PageViewport =>
  page.getViewport({ scale: wide / page.getViewport({ scale: 1 }).width })
