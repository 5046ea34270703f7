import { createComponent, render, spreadAttributes, unescapeHTML } from 'astro/compiler-runtime'

/** An icon of `@lucide/astro`, whose own types are sources that import Astro files. */
interface LucideIcon {
  name: string
  node: readonly [tag: string, attributes: Record<string, string | number>][]
  aliases?: readonly string[]
  size?: number
}

/**
 * Replaces `createLucideIcon` of `@lucide/astro` in the build (scripts/render-plugins.ts). The package renders every
 * path of an icon as a separate component; here the paths are one string that is created once, and only the attributes
 * of the `svg` element are rendered for each use. The HTML is the same.
 */
export default function createLucideIcon(icon: LucideIcon) {
  const size = icon.size ?? 24
  const paths = icon.node.map(([tag, attributes]) => `<${tag}${spreadAttributes(attributes)}></${tag}>`).join('')
  const aliases = (icon.aliases ?? []).map((alias) => `lucide-${alias}`)
  const ownClasses = ['lucide', `lucide-${icon.name}`, ...aliases].join(' ')
  return createComponent(
    (_result, props) => {
      const { class: className, size: shownSize = 24, 'stroke-width': strokeWidth = 2, ...rest } = props ?? {}
      const isNamed = Object.keys(rest).some((name) => name.startsWith('aria-') || name === 'role' || name === 'title')
      const attributes = {
        xmlns: 'http://www.w3.org/2000/svg',
        width: shownSize,
        height: shownSize,
        viewBox: `0 0 ${size} ${size}`,
        fill: 'none',
        stroke: 'currentColor',
        'stroke-width': strokeWidth,
        'stroke-linecap': 'round',
        'stroke-linejoin': 'round',
        class: [...new Set([ownClasses, ...String(className ?? '').split(' ')])].filter(Boolean).join(' '),
        ...(!isNamed && { 'aria-hidden': 'true' }),
        ...rest,
      }
      return render`${unescapeHTML(`<svg${spreadAttributes(attributes)}>${paths}</svg>`)}`
    },
    undefined,
    'none',
  )
}
