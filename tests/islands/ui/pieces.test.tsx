import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { Button } from '#islands/ui/Button.tsx'
import { findCommands } from '#islands/ui/CommandMenu.tsx'
import { ConflictChoice } from '#islands/ui/ConflictChoice.tsx'
import { EmptyState } from '#islands/ui/EmptyState.tsx'
import { Field } from '#islands/ui/Field.tsx'
import { PasswordField } from '#islands/ui/PasswordField.tsx'
import { ProgressBar, ProgressRing } from '#islands/ui/Progress.tsx'
import { SaveState } from '#islands/ui/SaveState.tsx'
import { Skeleton } from '#islands/ui/Skeleton.tsx'
import { ErrorState } from '#islands/ui/State.tsx'

const t = (key: string, variables?: Record<string, string | number>) =>
  variables ? `${key} ${Object.values(variables).join(' ')}` : key

describe('field', () => {
  test('associates its label and hint with the input', () => {
    const html = renderToString(<Field id="title" label="Title" hint="Students see it" />)
    expect(html).toContain('for="title"')
    expect(html).toContain('aria-describedby="title-hint"')
    expect(html).not.toContain('aria-invalid')
  })

  test('shows the error instead of the hint', () => {
    const html = renderToString(<Field id="title" label="Title" hint="Students see it" error="Required" />)
    expect(html).toContain('aria-describedby="title-error"')
    expect(html).toContain('aria-invalid="true"')
    expect(html).not.toContain('Students see it')
  })

  test('a password names its rules, and its button is invisible, in its place, until scripts show it', () => {
    const rules = [{ label: 'digit', pattern: '\\d' }]
    const html = renderToString(
      <PasswordField id="secret" label="Password" showLabel="Show" hideLabel="Hide" rules={rules} />,
    )
    expect(html).toContain('aria-describedby="secret-rules"')
    expect(html).toMatch(/<button[^>]*class="invisible [^>]*>Show/)
    expect(html).not.toContain('hidden=')
    expect(html).toMatch(/data-pattern="\\d"[^>]*>digit/)
  })
})

test('a button does not submit by default, and announces that it is busy', () => {
  expect(renderToString(<Button>Go</Button>)).toContain('type="button"')
  expect(renderToString(<Button busy>Go</Button>)).toContain('aria-busy="true"')
})

describe('empty state', () => {
  test('names itself by a heading of the level of its place', () => {
    expect(renderToString(<EmptyState title="No courses" />)).toContain('<h2')
    expect(renderToString(<EmptyState title="Not found" level={1} />)).toContain('<h1')
  })

  test('hides its picture from screen readers', () => {
    expect(renderToString(<EmptyState title="No courses" figure="404" />)).toMatch(/<svg[^>]*aria-hidden="true".*404/)
  })
})

describe('the state of a draft', () => {
  const draw = (state: Parameters<typeof SaveState>[0]['state']) =>
    renderToString(<SaveState state={state} locale="uk" t={t} />)

  test('shows when it was saved', () => {
    expect(draw({ kind: 'saved', at: new Date(2026, 9, 25, 14, 2).getTime() })).toContain('shell:save.saved 14:02')
    expect(draw({ kind: 'saved', at: null })).not.toContain('shell:')
  })

  test('offers to sign in again after the session ended', () => {
    const html = draw({ kind: 'localOnly', reason: 'signedOut', message: '' })
    expect(html).toContain('shell:save.localOnly')
    expect(html).toContain('shell:save.signedOut')
    expect(html).toContain('shell:button.signIn')
  })

  test('does not promise what the device could not store', () => {
    const html = draw({ kind: 'localOnly', reason: 'storage', message: '' })
    expect(html).toContain('shell:save.storage')
    expect(html).not.toContain('shell:save.localOnly')
  })

  test('shows both texts of a conflict', () => {
    const html = renderToString(<ConflictChoice mine="mine" theirs="theirs" onChoose={() => undefined} t={t} />)
    expect(html).toContain('>mine<')
    expect(html).toContain('>theirs<')
    expect(html).toContain('role="alert"')
  })
})

test('progress is announced as text and stays between 0 and 100 percent', () => {
  expect(renderToString(<ProgressRing share={2} label="Done" />)).toContain('>100<')
  expect(renderToString(<ProgressBar share={null} label="Upload" />)).not.toContain('value=')
})

test('loading and errors are announced', () => {
  expect(renderToString(<Skeleton shape="rows" label="Loading" />)).toContain('role="status"')
  expect(renderToString(<ErrorState title="x" retryLabel="Retry" onRetry={() => undefined} />)).toContain(
    'role="alert"',
  )
})

describe('command menu', () => {
  const commands = [
    { label: 'Курси', href: '/courses', group: 'Навчання' },
    { label: "Зв'язок", href: '/chat', group: 'Спілкування' },
  ]

  test.each([
    ['ку', ['/courses']],
    ['навч КУР', ['/courses']],
    ['зв’яз', ['/chat']],
    ['урси', []],
    ['', ['/courses', '/chat']],
  ])('%j finds %j', (typed, found) => {
    expect(findCommands(commands, typed).map(({ href }) => href)).toEqual(found)
  })
})
