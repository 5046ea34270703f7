import reactRenderer from '@astrojs/react/server.js'
import { experimental_AstroContainer as AstroContainer } from 'astro/container'
import { expect, test } from 'vitest'
import { getTranslator } from '#lib/core/i18n/i18n.ts'

type Component = Parameters<AstroContainer['renderToString']>[0]

// By a pattern, because the type checker of this file does not support .astro files.
const COMPONENTS = import.meta.glob<{ default: Component }>(
  '../../src/layouts/parts/{Checkbox,FormField,PasswordField}.astro',
  { eager: true },
)
const container = await AstroContainer.create()
container.addServerRenderer({ name: '@astrojs/react', renderer: reactRenderer })
const t = getTranslator('en')

function render(name: string, options: Parameters<AstroContainer['renderToString']>[1]): Promise<string> {
  const component = COMPONENTS[`../../src/layouts/parts/${name}.astro`]
  if (!component) throw new Error(`there is no component ${name}`)
  return container.renderToString(component.default, options)
}

test('a field of a page has the attributes, the value and the error that the page names', async () => {
  const props = { name: 'email', label: 'Email', type: 'email', autocomplete: 'email', maxlength: 200, required: true }
  const html = await render('FormField', {
    props: { ...props, value: '"><b>', error: 'Not an address', hint: 'Hidden by the error' },
  })
  expect(html).toContain('<label for="field-email"')
  expect(html).toMatch(/<input[^>]* type="email"[^>]* autoComplete="email"[^>]* maxLength="200"[^>]* required=""/i)
  expect(html).toContain('value="&quot;&gt;&lt;b&gt;"')
  expect(html).toContain('aria-describedby="field-email-error"')
  expect(html).toContain('<p id="field-email-error" class="field-error">Not an address</p>')
  expect(html).not.toContain('Hidden by the error')
})

test('rows make it a text area', async () => {
  const props = { name: 'text', label: 'Text', rows: 3, value: '</textarea>' }
  const html = await render('FormField', { props })
  expect(html).toMatch(/<textarea rows="3" name="text"[^>]*>&lt;\/textarea&gt;<\/textarea>/)
})

test('the label of a checkbox is the slot', async () => {
  const props = { name: 'agree', value: 'yes', checked: true, error: 'Required' }
  const html = await render('Checkbox', { props, slots: { default: 'I <em>agree</em>' } })
  expect(html).toContain('I <em>agree</em>')
  expect(html).toMatch(/<input[^>]*type="checkbox"[^>]* name="agree" checked="" value="yes"/)
  expect(html).toContain('aria-invalid="true"')
  const unchecked = await render('Checkbox', { props: { name: 'agree' } })
  expect(unchecked).not.toContain('checked=""')
})

test('a password field can be used without scripts', async () => {
  const rules = [{ label: 'A digit', pattern: '\\d' }]
  const props = { name: 'password', label: 'Password', t, autocomplete: 'new-password', minlength: 8, rules }
  const html = await render('PasswordField', { props })
  expect(html).toMatch(/<input required="" autoComplete="new-password" minLength="8"[^>]* name="password"/i)
  expect(html).toMatch(/<button[^>]* class="invisible /)
  expect(html).toContain('data-pattern="\\d"')
})
