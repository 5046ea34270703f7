import { asIsland } from '#islands/mount/as-island.ts'
import { trackLoading } from '#islands/stores/busy.ts'
import { showFailure, showNotice, showSuccess, UNDO_NOTICE_MS } from '#islands/stores/notice.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/dialog/Dialog.tsx'
import { Menu } from '#islands/ui/Menu.tsx'
import { Tabs } from '#islands/ui/Tabs.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Strings, type Translate } from '#lib/core/shared/text/strings.ts'
import { ShowcaseForms } from './ShowcaseForms.tsx'
import { ShowcaseStates } from './ShowcaseStates.tsx'

export default asIsland('showcase', Showcase)

interface Props {
  strings: Strings
  locale: Locale
}

/** The interactive part of the style guide: every component of islands/ui in all its states. */
function Showcase({ strings, locale }: Props) {
  const t = createTranslator(strings, locale)
  return (
    <>
      <Buttons t={t} />
      <ShowcaseForms t={t} locale={locale} />
      <Floating t={t} />
      <Toasts t={t} />
      <ShowcaseStates t={t} locale={locale} />
    </>
  )
}

function Buttons({ t }: { t: Translate }) {
  return (
    <section className="grid gap-4 border-base-300 border-t py-8">
      <h2 className="font-semibold text-xl">{t('shell:styleguide.buttons')}</h2>
      <div className="flex flex-wrap gap-3">
        <Button tone="primary">{t('shell:styleguide.primary')}</Button>
        <Button>{t('shell:styleguide.plain')}</Button>
        <Button tone="quiet">{t('shell:styleguide.quiet')}</Button>
        <Button tone="accent">{t('shell:styleguide.accent')}</Button>
        <Button tone="danger">{t('shell:styleguide.danger')}</Button>
        <Button tone="primary" busy>
          {t('shell:styleguide.busy')}
        </Button>
        <Button small>{t('shell:styleguide.plain')}</Button>
      </div>
    </section>
  )
}

function Floating({ t }: { t: Translate }) {
  return (
    <section className="grid gap-4 border-base-300 border-t py-8">
      <h2 className="font-semibold text-xl">{t('shell:styleguide.floating')}</h2>
      <div className="flex flex-wrap gap-3">
        <Dialog
          title={t('shell:styleguide.dialogTitle')}
          text={t('shell:styleguide.dialogText')}
          trigger={<Button>{t('shell:styleguide.openDialog')}</Button>}
          closeLabel={t('shell:button.cancel')}
          actions={(close) => (
            <>
              {close}
              <Button tone="danger">{t('shell:button.delete')}</Button>
            </>
          )}
        />
        <Menu
          trigger={<Button>{t('shell:styleguide.openMenu')}</Button>}
          entries={[
            { key: 'copy', label: t('shell:styleguide.copy') },
            { key: 'archive', label: t('shell:styleguide.archive') },
            { key: 'delete', label: t('shell:button.delete'), danger: true },
          ]}
        />
      </div>
      <Tabs
        label={t('shell:styleguide.sample')}
        tabs={(['tabContent', 'tabStudents', 'tabOffers'] as const).map((key) => ({
          key,
          label: t(`shell:styleguide.${key}`),
          panel: <p>{t('shell:styleguide.prose')}</p>,
        }))}
      />
    </section>
  )
}

function Toasts({ t }: { t: Translate }) {
  const undo = { label: t('shell:button.undo'), run: () => showSuccess() }
  return (
    <section className="grid gap-4 border-base-300 border-t py-8">
      <h2 className="font-semibold text-xl">{t('shell:styleguide.toasts')}</h2>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => showSuccess()}>{t('shell:styleguide.toastSuccess')}</Button>
        <Button onClick={() => showFailure()}>{t('shell:styleguide.toastError')}</Button>
        <Button
          onClick={() => showNotice('info', t('shell:styleguide.undone'), { durationMs: UNDO_NOTICE_MS, action: undo })}
        >
          {t('shell:styleguide.toastUndo')}
        </Button>
        <Button onClick={() => void trackLoading(new Promise((done) => setTimeout(done, 2000)))}>
          {t('shell:styleguide.wait')}
        </Button>
      </div>
    </section>
  )
}
