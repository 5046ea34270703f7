import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Field } from '#islands/ui/Field.tsx'
import { reactAttributes } from '../../src/layouts/parts/react-attributes.ts'

test('attributes in the names of HTML arrive in the markup of a React field', () => {
  const attributes = {
    autocomplete: 'email',
    inputmode: 'email',
    maxlength: 200,
    readonly: true,
    autofocus: true,
    required: true,
    'data-own': 'yes',
  }
  const html = renderToStaticMarkup(<Field {...reactAttributes(attributes)} id="email" label="Email" />)
  for (const [name, value] of Object.entries(attributes)) {
    expect(html.toLowerCase()).toContain(`${name}="${value === true ? '' : value}"`)
  }
})
