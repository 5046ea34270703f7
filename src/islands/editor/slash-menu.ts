import { type Editor, Extension } from '@tiptap/core'
import { ReactRenderer } from '@tiptap/react'
import { exitSuggestion, Suggestion, type SuggestionProps } from '@tiptap/suggestion'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { type BlockChoice, findBlocks } from './blocks/catalogue.ts'
import { optionId, SlashMenu } from './SlashMenu.tsx'

interface SlashMenuOptions {
  choices: () => readonly BlockChoice[]
  t: Translate
  choose: (choice: BlockChoice, editor: Editor) => void
}

/**
 * The menu that `/` opens: further letters filter the blocks, arrow keys select one, Enter inserts it, Esc keeps the
 * text.
 */
export const slashMenu = (options: SlashMenuOptions) =>
  Extension.create({
    name: 'slashMenu',
    addProseMirrorPlugins() {
      return [
        Suggestion<BlockChoice, BlockChoice>({
          editor: this.editor,
          char: '/',
          allowedPrefixes: [' ', '\u00a0'],
          allowSpaces: true,
          container: document.querySelector<HTMLElement>('main') ?? document.body,
          allow: ({ state, range }) => {
            if (state.doc.resolve(range.from).parent.type.spec.code) return false
            const query = state.doc.textBetween(range.from + 1, range.to)
            // «5 / 10 people» is plain text: after a space, only a prefix of a block's name keeps the menu open.
            return (
              !/\s/.test(query) || (/^\S/.test(query) && findBlocks(options.choices(), query, options.t).length > 0)
            )
          },
          items: ({ query }) => findBlocks(options.choices(), query, options.t),
          command: ({ editor, range, props }) => {
            editor.chain().focus().deleteRange(range).run()
            options.choose(props, editor)
          },
          render: () => createMenu(options.t),
        }),
      ]
    },
  })

type Props = SuggestionProps<BlockChoice, BlockChoice>

/** The open menu: the focus remains in the text, which references the active item. */
function createMenu(t: Translate) {
  let renderer: ReactRenderer | null = null
  let unmount = () => {}
  let index = 0
  let latest: Props | null = null

  const renderMenu = () => {
    if (!latest) return
    const { items, command, editor } = latest
    renderer?.updateProps({ items, index, t, onChoose: command })
    const hasItems = items.length > 0
    if (hasItems) editor.view.dom.setAttribute('aria-activedescendant', optionId(index))
    else editor.view.dom.removeAttribute('aria-activedescendant')
  }
  return {
    onStart: (props: Props) => {
      latest = props
      index = 0
      renderer = new ReactRenderer(SlashMenu, {
        editor: props.editor,
        props: { items: props.items, index, t, onChoose: props.command },
      })
      renderer.element.classList.add('slash-place')
      unmount = props.mount(renderer.element)
      // In a modal dialog, elements of the page itself are not visible or clickable.
      props.editor.view.dom.closest('[role="dialog"]')?.append(renderer.element)
      renderMenu()
    },
    onUpdate: (props: Props) => {
      latest = props
      index = 0
      renderMenu()
    },
    onKeyDown: ({ event, view }: { event: KeyboardEvent; view: Editor['view'] }) => {
      const count = latest?.items.length ?? 0
      if (event.key === 'Escape') {
        exitSuggestion(view)
        return true
      }
      if (count === 0) return false
      if (event.key === 'ArrowDown') index = (index + 1) % count
      else if (event.key === 'ArrowUp') index = (index + count - 1) % count
      else if (event.key === 'Enter' || event.key === 'Tab') {
        const item = latest?.items[index]
        if (item) latest?.command(item)
        return true
      } else return false
      renderMenu()
      return true
    },
    onExit: ({ editor }: Props) => {
      unmount()
      renderer?.element.remove()
      renderer?.destroy()
      renderer = null
      latest = null
      editor.view.dom.removeAttribute('aria-activedescendant')
    },
  }
}
