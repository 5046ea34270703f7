import type { PageViewport, PDFPageProxy } from 'pdfjs-dist'

/**
 * A page as it is shown, so many pixels wide: within its crop box and turned as the file says. Shares of this picture
 * mean the same place of the page at every width.
 */
export const fitPage = (page: Pick<PDFPageProxy, 'getViewport'>, wide: number): PageViewport =>
  page.getViewport({ scale: wide / page.getViewport({ scale: 1 }).width })
