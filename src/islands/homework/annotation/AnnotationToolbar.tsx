import { Button } from '#islands/ui/Button.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { type AnnotationTool, TOOLS } from './annotation-shape.ts'

interface Props {
  tool: AnnotationTool | null
  t: Translate
  onTool: (tool: AnnotationTool | null) => void
  /** Adds an annotation in the middle of the page, for keyboard users. */
  onMiddle: (tool: AnnotationTool) => void
}

/** The tools that annotations are drawn with. */
export function AnnotationToolbar({ tool, t, onTool, onMiddle }: Props) {
  return (
    <div role="toolbar" aria-label={t('homework:mark.tools')} className="flex flex-wrap items-center gap-1">
      {TOOLS.map((option) => (
        <Button
          key={option}
          small
          tone={tool === option ? 'primary' : 'plain'}
          aria-pressed={tool === option}
          onClick={() => onTool(tool === option ? null : option)}
        >
          {t(`homework:mark.${option}`)}
        </Button>
      ))}
      {tool && (
        <Button small tone="quiet" onClick={() => onMiddle(tool)}>
          {t('homework:mark.middle')}
        </Button>
      )}
    </div>
  )
}
