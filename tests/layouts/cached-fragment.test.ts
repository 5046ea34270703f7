import { createComponent, render, renderComponent, unescapeHTML } from 'astro/compiler-runtime'
import { experimental_AstroContainer as AstroContainer } from 'astro/container'
import { expect, test } from 'vitest'

type Component = Parameters<AstroContainer['renderToString']>[0]

// By a pattern, because the type checker of this file does not support .astro files.
const COMPONENTS = import.meta.glob<{ default: Component }>('../../src/layouts/parts/CachedFragment.astro', {
  eager: true,
})
const { default: CachedFragment } = Object.values(COMPONENTS)[0] ?? {}
const container = await AstroContainer.create()

/** The HTML of a page with one cached fragment; `content` is called when the fragment is rendered. */
function show(by: unknown, content: () => unknown): Promise<string> {
  const page = createComponent((result) => {
    const inner = createComponent(() => render`${content()}`)
    const slots = { default: () => render`${renderComponent(result, 'Inner', inner, {})}` }
    return render`<main>${renderComponent(result, 'CachedFragment', CachedFragment, { name: 'test', by }, slots)}</main>`
  })
  return container.renderToString(page)
}

test('renders its content once for each key, and writes the same HTML afterwards', async () => {
  let count = 0
  const content = () => render`<p>${++count} ${'<b>'}</p>`
  expect(await show(['uk', 1], content)).toContain('<main><p>1 &lt;b&gt;</p></main>')
  expect(await show(['uk', 1], content)).toContain('<main><p>1 &lt;b&gt;</p></main>')
  expect(await show(['en', 1], content)).toContain('<main><p>2 &lt;b&gt;</p></main>')
})

test('drops the fragments that were not used for the longest time', async () => {
  let count = 0
  const content = () => render`${++count}${unescapeHTML('x'.repeat(1_500_000))}`
  const countOf = async (by: string) => (await show(by, content)).match(/<main>(\d+)/)?.[1]
  expect([await countOf('a'), await countOf('b'), await countOf('a')]).toEqual(['1', '2', '1'])
  expect([await countOf('c'), await countOf('a'), await countOf('b')]).toEqual(['3', '1', '4'])
})

test.each(['<script>1</script>', '<style>a{}</style>', '<astro-island uid="1"></astro-island>'])(
  'refuses content with %s, whose code Astro writes once per page',
  async (html) => {
    await expect(show(html, () => unescapeHTML(html))).rejects.toThrow('contains a script, a style or an island')
  },
)
