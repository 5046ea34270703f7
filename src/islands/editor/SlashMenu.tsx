import { useEffect, useRef } from 'react'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { type BlockChoice, blockLabel } from './blocks/catalogue.ts'

interface Props {
  items: readonly BlockChoice[]
  index: number
  t: Translate
  onChoose: (choice: BlockChoice) => void
}

export const optionId = (index: number): string => `slash-option-${index}`

export function SlashMenu({ items, index, t, onChoose }: Props) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector(`#${optionId(index)}`)?.scrollIntoView({ block: 'nearest' })
  }, [index])
  if (items.length === 0)
    return <p className="floating slash-menu p-3 text-muted text-sm">{t('editor:slash.nothing')}</p>
  return (
    <div ref={list} role="listbox" aria-label={t('editor:slash.label')} className="floating slash-menu" tabIndex={-1}>
      {items.map((choice, optionIndex) => {
        const Icon = choice.icon
        return (
          <div
            key={choice.name}
            id={optionId(optionIndex)}
            role="option"
            tabIndex={-1}
            aria-selected={optionIndex === index}
            className="option"
            // The click must not move the cursor out of the text.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onChoose(choice)}
            onKeyDown={(event) => event.key === 'Enter' && onChoose(choice)}
          >
            <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
            {blockLabel(choice, t)}
          </div>
        )
      })}
    </div>
  )
}
