import { Node } from '@tiptap/core'
import { TaskItem, TaskList } from '@tiptap/extension-list'
import StarterKit from '@tiptap/starter-kit'
import { isSafeHref } from '#lib/core/shared/lesson-doc.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { BlockKeys } from './blocks/block-keys.ts'
import { blockNodes } from './blocks/block-nodes.ts'
import { mathNodes } from './blocks/math-nodes.ts'
import { tableNodes } from './blocks/table-nodes.ts'

/** The nodes and marks of a lesson: exactly those of the LessonDoc schema, otherwise text would be lost. */
export function lessonExtensions(t: Translate) {
  return [
    StarterKit.configure({
      document: false,
      heading: { levels: [2, 3, 4] },
      link: {
        openOnClick: false,
        isAllowedUri: (url) => isSafeHref(url),
        HTMLAttributes: { target: null, rel: null, class: null },
      },
      // It would change the text of a lesson when the lesson is opened.
      trailingNode: false,
    }),
    Document,
    TaskList,
    TaskItem.configure({ nested: true, a11y: { checkboxLabel: () => t('editor:done') } }),
    ...tableNodes,
    ...blockNodes,
    ...mathNodes,
    BlockKeys,
  ]
}

const Document = Node.create({ name: 'doc', topNode: true, content: '(block | top)+' })
