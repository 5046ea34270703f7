import type { ReactNode } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'

interface Props {
  title: string
  text: string
  open?: boolean
  actionLabel: string
  isDestructive?: boolean
  isBusy?: boolean
  /** What is missing, or why the action failed. */
  error?: string | null | undefined
  onAction(): void
  onClose(): void
  t: Translate
  children?: ReactNode
}

/** A dialog of the chat: one action, which can be canceled, and its fields. */
export function ChatDialog({
  title,
  text,
  open = true,
  actionLabel,
  isDestructive = false,
  isBusy = false,
  error,
  onAction,
  onClose,
  t,
  children,
}: Props) {
  return (
    <Dialog
      title={title}
      text={text}
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      closeLabel={t('chat:delete.cancel')}
      actions={(close) => (
        <>
          {close}
          <Button tone={isDestructive ? 'danger' : 'primary'} busy={isBusy} onClick={onAction}>
            {actionLabel}
          </Button>
        </>
      )}
    >
      {children && (
        <div className="grid gap-4">
          {children}
          {error && (
            <p className="field-error" role="alert">
              {error}
            </p>
          )}
        </div>
      )}
    </Dialog>
  )
}
