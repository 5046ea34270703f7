import { NodeSelection } from '@tiptap/pm/state'
import type { Editor } from '@tiptap/react'
import { useEffect, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { Dialog } from '#islands/ui/dialog/Dialog.tsx'
import { TextArea } from '#islands/ui/Field.tsx'
import { MAX_FORMULA_CHARACTERS } from '#lib/core/shared/lesson-doc.ts'
import { insertBlock } from './blocks/block-commands.ts'
import { useEditorContext } from './editor-context.ts'

interface Props {
  editor: Editor
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Dialog for a formula in TeX; a selected formula is edited. */
export function FormulaDialog({ editor, open, onOpenChange }: Props) {
  const { t } = useEditorContext()
  const [latex, setLatex] = useState('')
  const [isBlock, setIsBlock] = useState(false)
  const [isSubmitted, setIsSubmitted] = useState(false)
  useEffect(() => {
    if (!open) return
    const selected = selectedFormula(editor)
    setLatex(selected?.latex ?? '')
    setIsBlock(selected?.isBlock ?? false)
    setIsSubmitted(false)
  }, [open, editor])
  const insertFormula = (event: { preventDefault(): void }) => {
    event.preventDefault()
    const attrs = { latex: latex.trim() }
    if (!attrs.latex) return setIsSubmitted(true)
    onOpenChange(false)
    if (isBlock) insertBlock(editor, { type: 'blockMath', attrs })
    else editor.chain().focus().insertContent({ type: 'inlineMath', attrs }).run()
  }
  return (
    <Dialog
      title={t('editor:block.formula')}
      open={open}
      onOpenChange={onOpenChange}
      closeLabel={t('shell:button.cancel')}
      actions={(close) => (
        <>
          {close}
          <Button tone="primary" type="submit" form="block-formula">
            {t('editor:insert')}
          </Button>
        </>
      )}
    >
      <form id="block-formula" className="grid gap-4" onSubmit={insertFormula} noValidate>
        <TextArea
          label={t('editor:formula.latex')}
          hint={t('editor:formula.hint')}
          error={isSubmitted && !latex.trim() ? t('editor:formula.empty') : undefined}
          maxLength={MAX_FORMULA_CHARACTERS}
          rows={3}
          spellCheck={false}
          value={latex}
          onChange={({ target }) => setLatex(target.value)}
        />
        <Checkbox
          label={t('editor:formula.block')}
          checked={isBlock}
          onChange={({ target }) => setIsBlock(target.checked)}
        />
      </form>
    </Dialog>
  )
}

function selectedFormula({ state: { selection } }: Editor): { latex: string; isBlock: boolean } | null {
  if (!(selection instanceof NodeSelection)) return null
  const { type, attrs } = selection.node
  if (type.name !== 'inlineMath' && type.name !== 'blockMath') return null
  return { latex: String(attrs.latex), isBlock: type.name === 'blockMath' }
}
