import { type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { ListTodo } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type TestChoice, useEditorContext } from '../editor-context.ts'
import { TestDialog } from '../TestDialog.tsx'

/** A test of the course, selected here and edited on its own page. */
export function TestView({ node, editor, updateAttributes }: NodeViewProps) {
  const { t, lesson } = useEditorContext()
  const testId = typeof node.attrs.testId === 'string' ? node.attrs.testId : null
  const [isChoosing, setIsChoosing] = useState(false)
  const test = useTest(testId, editor)
  const note = !testId
    ? t('editor:test.later')
    : test === null
      ? t('editor:test.gone')
      : test?.isOffered === false
        ? t('editor:test.unavailable')
        : t('editor:block.test')
  return (
    <NodeViewWrapper className="block-card">
      <ListTodo size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0" />
      <span className="block-fill">
        <span className="block truncate font-medium">{test?.title || t('editor:block.test')}</span>
        <span className="block text-muted text-sm">{note}</span>
      </span>
      {lesson && test && (
        <a href={test.href} target="_blank" rel="noopener" className="btn btn-ghost btn-sm">
          {t('editor:test.open')}
        </a>
      )}
      {lesson && editor.isEditable && (
        <button type="button" className="btn btn-sm" onClick={() => setIsChoosing(true)}>
          {t(testId ? 'editor:test.replace' : 'editor:test.choose')}
        </button>
      )}
      <TestDialog
        open={isChoosing}
        onOpenChange={setIsChoosing}
        testId={test ? testId : null}
        onPick={(chosen) => updateAttributes({ testId: chosen })}
      />
    </NodeViewWrapper>
  )
}

/** Undefined while loading; null: the test was deleted. */
function useTest(testId: string | null, editor: NodeViewProps['editor']): TestChoice | null | undefined {
  const { lesson } = useEditorContext()
  const [test, setTest] = useState<TestChoice | null>()
  useEffect(() => {
    setTest(undefined)
    if (!testId || !lesson) return
    let isUnmounted = false
    const loadTest = () =>
      void lesson.findTest(testId).then(
        (found) => !isUnmounted && setTest(found),
        () => undefined,
      )
    loadTest()
    // It may have been published or renamed in another tab.
    editor.on('focus', loadTest)
    return () => {
      isUnmounted = true
      editor.off('focus', loadTest)
    }
  }, [testId, lesson, editor])
  return test
}
