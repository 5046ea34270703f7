import { Plus, X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { AccessRule } from '#lib/course/schema.ts'
import { createRule } from './rule-shape.ts'

type Group = Extract<AccessRule, { mode: 'all' | 'any' }>

interface Props {
  value: Group
  onChange: (rule: AccessRule) => void
  zone: string
  t: Translate
  /** Renders one condition; passed in to avoid a circular import. */
  children: (rule: AccessRule, change: (rule: AccessRule) => void, name: string) => ReactNode
}

const MAX_RULES = 8

/** Several conditions of which all or any must be met. */
export function RuleGroup({ value, onChange, zone, t, children }: Props) {
  const names = useKeys(value.rules.length)
  const set = (rules: AccessRule[]) => onChange({ mode: value.mode, rules })
  return (
    <div className="grid gap-3">
      {value.rules.map((rule, at) => {
        const name = t('outline:rule.condition', { n: at + 1 })
        return (
          <fieldset key={names.keys[at]} className="card-line relative min-w-0 p-4">
            <legend className="sr-only">{name}</legend>
            {children(rule, (changed) => set(value.rules.with(at, changed)), name)}
            {value.rules.length > 1 && (
              <Button
                small
                tone="quiet"
                className="btn-square absolute end-2 top-2"
                aria-label={t('outline:rule.remove', { n: at + 1 })}
                icon={<X size={16} strokeWidth={1.75} aria-hidden="true" />}
                onClick={() => {
                  names.drop(at)
                  set(value.rules.toSpliced(at, 1))
                }}
              />
            )}
          </fieldset>
        )
      })}
      {value.rules.length < MAX_RULES && (
        <Button
          small
          tone="quiet"
          className="justify-self-start"
          icon={<Plus size={16} strokeWidth={1.75} aria-hidden="true" />}
          onClick={() => set([...value.rules, createRule('afterStart', zone)])}
        >
          {t('outline:rule.add')}
        </Button>
      )}
    </div>
  )
}

/** Fields keep incomplete input, so each condition needs a stable key. */
function useKeys(count: number) {
  const state = useRef({ last: 0, keys: [] as number[] })
  const { current } = state
  while (current.keys.length < count) {
    current.last += 1
    current.keys.push(current.last)
  }
  current.keys.length = count
  return { keys: current.keys, drop: (at: number) => void current.keys.splice(at, 1) }
}
