import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

interface Props {
  label: string
  tabs: readonly { key: string; label: string; panel: ReactNode }[]
  value?: string
  onChange?: (key: string) => void
  /** Hidden panels stay mounted and keep their input. */
  keepMounted?: boolean
}

/** Arrow keys move between tabs; the row scrolls sideways where it doesn't fit. */
export function Tabs({ label, tabs, value, onChange, keepMounted = false }: Props) {
  const first = tabs[0]?.key ?? ''
  return (
    <Base.Root
      {...(value === undefined ? { defaultValue: first } : { value })}
      onValueChange={(key) => onChange?.(String(key))}
    >
      <Base.List aria-label={label} className="flex gap-1 overflow-x-auto border-b border-base-300">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.key}
            value={tab.key}
            className="-mb-px min-h-10 cursor-pointer whitespace-nowrap rounded-t-field border-transparent border-b-2 px-3 text-muted text-sm -outline-offset-2 hover:text-base-content data-active:border-primary data-active:font-semibold data-active:text-base-content"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.key} value={tab.key} keepMounted={keepMounted} className="pt-4">
          {tab.panel}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
