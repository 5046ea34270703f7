import { Menu as Base } from '@base-ui/react/menu'
import { type ReactElement, type ReactNode, useEffect, useState } from 'react'

export interface MenuEntry {
  key: string
  label: string
  icon?: ReactNode
  /** A link; otherwise `onSelect`. */
  href?: string
  onSelect?: () => void
  /** With `checked` it is a switch that keeps the menu open. */
  checked?: boolean
  danger?: boolean
}

interface Props {
  trigger: ReactElement<Record<string, unknown>>
  entries: readonly MenuEntry[]
}

export function Menu({ trigger, entries }: Props) {
  const [landmark, setLandmark] = useState<HTMLElement | null>(null)
  useEffect(() => setLandmark(document.querySelector('main')), [])
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal container={landmark}>
        <Base.Positioner sideOffset={4} align="end" className="z-70">
          <Base.Popup className="floating max-h-(--available-height) min-w-48 overflow-y-auto p-1.5">
            {entries.map((entry) => (
              <Entry key={entry.key} entry={entry} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function Entry({ entry }: { entry: MenuEntry }) {
  const { label, icon, href, onSelect, checked, danger } = entry
  const className = danger ? 'option text-error' : 'option'
  if (checked !== undefined) {
    return (
      <Base.CheckboxItem
        checked={checked}
        onCheckedChange={() => onSelect?.()}
        closeOnClick={false}
        className={className}
      >
        <span aria-hidden="true" className="w-4 text-center">
          {checked ? '✓' : ''}
        </span>
        {label}
      </Base.CheckboxItem>
    )
  }
  if (href) {
    return (
      <Base.LinkItem href={href} className={className}>
        {icon}
        {label}
      </Base.LinkItem>
    )
  }
  return (
    <Base.Item onClick={() => onSelect?.()} className={className}>
      {icon}
      {label}
    </Base.Item>
  )
}
