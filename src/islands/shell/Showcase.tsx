import { asIsland } from '#islands/mount/as-island.ts'
import { loading } from '#islands/stores/busy.ts'
import { fail, notify, succeed } from '#islands/stores/notice.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import { Menu } from '#islands/ui/Menu.tsx'
import { Tabs } from '#islands/ui/Tabs.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import { type Say, type Strings, speak } from '#lib/core/shared/text/strings.ts'
import { ShowcaseForms } from './ShowcaseForms.tsx'
import { ShowcaseStates } from './ShowcaseStates.tsx'

export default asIsland('showcase', Showcase)

interface Props {
  strings: Strings
  locale: Locale
}

/** The styleguide's living half: every piece of islands/ui in all its states. */
function Showcase({ strings, locale }: Props) {
  const say = speak(strings, locale)
  return (
    <>
      <Buttons say={say} />
      <ShowcaseForms say={say} locale={locale} />
      <Floating say={say} />
      <Toasts say={say} />
      <ShowcaseStates say={say} locale={locale} />
    </>
  )
}

function Buttons({ say }: { say: Say }) {
  return (
    <section className="grid gap-4 border-base-300 border-t py-8">
      <h2 className="font-semibold text-xl">{say('shell:styleguide.buttons')}</h2>
      <div className="flex flex-wrap gap-3">
        <Button tone="primary">{say('shell:styleguide.primary')}</Button>
        <Button>{say('shell:styleguide.plain')}</Button>
        <Button tone="quiet">{say('shell:styleguide.quiet')}</Button>
        <Button tone="accent">{say('shell:styleguide.accent')}</Button>
        <Button tone="danger">{say('shell:styleguide.danger')}</Button>
        <Button tone="primary" busy>
          {say('shell:styleguide.busy')}
        </Button>
        <Button small>{say('shell:styleguide.plain')}</Button>
      </div>
    </section>
  )
}

function Floating({ say }: { say: Say }) {
  return (
    <section className="grid gap-4 border-base-300 border-t py-8">
      <h2 className="font-semibold text-xl">{say('shell:styleguide.floating')}</h2>
      <div className="flex flex-wrap gap-3">
        <Dialog
          title={say('shell:styleguide.dialogTitle')}
          text={say('shell:styleguide.dialogText')}
          trigger={<Button>{say('shell:styleguide.openDialog')}</Button>}
          closeLabel={say('shell:button.cancel')}
          actions={(close) => (
            <>
              {close}
              <Button tone="danger">{say('shell:button.delete')}</Button>
            </>
          )}
        />
        <Menu
          trigger={<Button>{say('shell:styleguide.openMenu')}</Button>}
          entries={[
            { key: 'copy', label: say('shell:styleguide.copy') },
            { key: 'archive', label: say('shell:styleguide.archive') },
            { key: 'delete', label: say('shell:button.delete'), danger: true },
          ]}
        />
      </div>
      <Tabs
        label={say('shell:styleguide.sample')}
        tabs={(['tabContent', 'tabStudents', 'tabOffers'] as const).map((key) => ({
          key,
          label: say(`shell:styleguide.${key}`),
          panel: <p>{say('shell:styleguide.prose')}</p>,
        }))}
      />
    </section>
  )
}

function Toasts({ say }: { say: Say }) {
  const undo = { label: say('shell:button.undo'), run: () => succeed() }
  return (
    <section className="grid gap-4 border-base-300 border-t py-8">
      <h2 className="font-semibold text-xl">{say('shell:styleguide.toasts')}</h2>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => succeed()}>{say('shell:styleguide.toastSuccess')}</Button>
        <Button onClick={() => fail()}>{say('shell:styleguide.toastError')}</Button>
        <Button onClick={() => notify('info', say('shell:styleguide.undone'), { lasts: 10_000, action: undo })}>
          {say('shell:styleguide.toastUndo')}
        </Button>
        <Button onClick={() => void loading(new Promise((done) => setTimeout(done, 2000)))}>
          {say('shell:styleguide.wait')}
        </Button>
      </div>
    </section>
  )
}
