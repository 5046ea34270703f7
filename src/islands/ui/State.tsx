import type { ReactNode } from 'react'

interface Props {
  title: string
  text?: string
  /** Buttons or links; one of them primary at most. */
  children?: ReactNode
}

/** A failure: the failed action, the saved data, and a retry button. */
export function ErrorState({
  title,
  text,
  retryLabel,
  onRetry,
  children,
}: Props & { retryLabel: string; onRetry: () => void }) {
  return (
    <section role="alert" className="card-line grid justify-items-start gap-3 border-s-4 border-s-error p-5">
      <StateText title={title} text={text}>
        <button type="button" className="btn" onClick={onRetry}>
          {retryLabel}
        </button>
        {children}
      </StateText>
    </section>
  )
}

/** Access is denied by role or plan: the reason, and who can change it. */
export function DeniedState({ title, text, children }: Props) {
  return (
    <section className="card-line grid justify-items-start gap-3 border-s-4 border-s-warning p-5">
      <StateText title={title} text={text}>
        {children}
      </StateText>
    </section>
  )
}

function StateText({ title, text, children }: { title: string; text?: string | undefined; children?: ReactNode }) {
  return (
    <>
      <h2 className="font-semibold text-xl">{title}</h2>
      {text && <p className="max-w-prose text-muted">{text}</p>}
      {children && <div className="mt-2 flex flex-wrap gap-2">{children}</div>}
    </>
  )
}
