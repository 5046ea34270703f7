import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useRef, useState } from 'react'
import { loadPdf, renderPdfPage } from '#islands/broadcast/pdf.ts'
import { Skeleton } from '#islands/ui/Skeleton.tsx'
import { AnnotationCanvas, type AnnotationProps } from './AnnotationCanvas.tsx'

/** A PDF page by page with annotations. Scripts and compiled fonts are disabled. */
export default function AnnotatedPdf({ address, name, ...marks }: AnnotationProps & { address: string; name: string }) {
  const { t } = marks.i18n
  const isShown = marks.onAnnotate === null
  // A read-only document opens at the first annotation.
  const first = isShown ? marks.annotations.find(({ fileId }) => fileId === marks.fileId)?.page : undefined
  const canvas = useRef<HTMLCanvasElement>(null)
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null)
  const [failed, setFailed] = useState(false)
  const [page, setPage] = useState(first ?? 1)
  useEffect(() => {
    const task = loadPdf(address)
    const show = (loaded: PDFDocumentProxy) => {
      setPdf(loaded)
      setPage((now) => Math.min(now, loaded.numPages))
    }
    task.promise.then(show, (error: Error) => error.name !== 'AbortException' && setFailed(true))
    return () => void task.destroy()
  }, [address])
  useEffect(() => {
    if (!pdf || !canvas.current) return undefined
    return renderPdfPage(pdf, page, canvas.current, RENDER_WIDTH).cancel
  }, [pdf, page])
  if (failed) return <p role="alert">{t('homework:review.fileFailed')}</p>
  const pages = pdf?.numPages ?? 1
  return (
    <div className="grid gap-2">
      {!pdf && <Skeleton shape="lines" count={6} label={t('homework:review.loading')} />}
      <div hidden={!pdf}>
        <AnnotationCanvas {...marks} page={page} onPage={setPage}>
          <canvas
            ref={canvas}
            className="annotation-picture bg-white"
            role="img"
            aria-label={t('homework:review.page', { name, page, pages })}
          />
        </AnnotationCanvas>
      </div>
      {pages > 1 && (
        <div className="flex items-center gap-2 text-sm">
          <PageButton
            label={t('homework:review.pageBefore')}
            disabled={page === 1}
            onTurn={() => setPage(page - 1)}
            icon={ChevronLeft}
          />
          <span aria-live="polite" className="tabular">
            {t('homework:review.pageOf', { page, pages })}
          </span>
          <PageButton
            label={t('homework:review.pageAfter')}
            disabled={page === pages}
            onTurn={() => setPage(page + 1)}
            icon={ChevronRight}
          />
        </div>
      )}
    </div>
  )
}

function PageButton({
  label,
  disabled,
  onTurn,
  icon: Icon,
}: {
  label: string
  disabled: boolean
  onTurn: () => void
  icon: typeof ChevronLeft
}) {
  return (
    <button type="button" className="btn btn-sm btn-square" aria-label={label} disabled={disabled} onClick={onTurn}>
      <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
    </button>
  )
}

/** Width of the rendering in pixels; it is scaled to the width of its container. */
const RENDER_WIDTH = 1400
