import { useSignal } from '@preact/signals'
import { ask } from '../../api/ask.ts'
import { useCommand } from '../../api/commands.ts'
import { Problem } from '../../api/problem.ts'
import type { AlertRuleView } from '../../api/wire.ts'
import { frameTexts } from '../../frame/texts.ts'
import { duration } from '../../language/format.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { CheckField, TextField } from '../../parts/field.tsx'
import { Badge } from '../../parts/status.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { isAdmin } from '../../session/session.ts'
import { alertFigure, typedFigure } from './alert-figure.ts'
import { alertTexts } from './texts.ts'

/** When alerts open and close; whoever is Admin may change that. */
export function AlertRules({ rules }: { readonly rules: readonly AlertRuleView[] }) {
  const edited = useSignal<AlertRuleView | null>(null)
  return (
    <>
      <Table
        label={alertTexts.value.rules}
        columns={columns((rule) => (edited.value = rule))}
        rows={rules}
        rowKey={({ kind, scope }) => `${kind} ${scope}`}
      />
      {edited.value && <EditRule rule={edited.value} onClose={() => (edited.value = null)} />}
    </>
  )
}

function columns(onEdit: (rule: AlertRuleView) => void): readonly Column<AlertRuleView>[] {
  const texts = alertTexts.value
  const all: Column<AlertRuleView>[] = [
    { key: 'name', title: texts.alert, cell: ({ name }) => name },
    { key: 'scope', title: texts.scope, isMinor: true, cell: ({ scope }) => texts.scopes[scope] },
    {
      key: 'enabled',
      title: texts.enabled,
      cell: ({ isEnabled }) => <Badge tone={isEnabled ? 'good' : 'muted'}>{isEnabled ? texts.on : texts.off}</Badge>,
    },
    {
      key: 'threshold',
      title: texts.threshold,
      isNumber: true,
      cell: ({ kind, threshold }) => alertFigure(kind, threshold),
    },
    {
      key: 'clearAt',
      title: texts.clearAt,
      isNumber: true,
      isMinor: true,
      cell: ({ kind, clearAt }) => alertFigure(kind, clearAt),
    },
    {
      key: 'hold',
      title: texts.opensAfter,
      isNumber: true,
      isMinor: true,
      cell: ({ holdSeconds }) => (holdSeconds === 0 ? texts.atOnce : duration(holdSeconds * 1_000)),
    },
  ]
  if (!isAdmin()) return all
  return [
    ...all,
    {
      key: 'edit',
      title: <span class="visually-hidden">{texts.edit('').trim()}</span>,
      width: 'narrow',
      cell: (rule) => (
        <Button isSmall tone="quiet" icon="edit" label={texts.edit(rule.name)} onClick={() => onEdit(rule)} />
      ),
    },
  ]
}

const FIGURES = ['threshold', 'clearAt', 'holdSeconds', 'clearSeconds'] as const

function EditRule({ rule, onClose }: { readonly rule: AlertRuleView; readonly onClose: () => void }) {
  const texts = alertTexts.value
  const isEnabled = useSignal(rule.isEnabled)
  const figures = useSignal(
    Object.fromEntries(FIGURES.map((key) => [key, rule[key] === null ? '' : String(rule[key])])),
  )
  const problems = useSignal<Readonly<Record<string, string>>>({})
  const save = useCommand({
    run: (change: object) => ask<AlertRuleView>(`jobs/alerts/${rule.kind}`, { method: 'PUT', body: change }),
    done: texts.saved,
    onDone: onClose,
  })
  const submit = () => {
    const numbers = FIGURES.map((key) => [key, typedFigure(figures.value[key] ?? '')] as const)
    const wrong = numbers.flatMap(([key, value]) => (Number.isNaN(value) ? [key] : []))
    problems.value = Object.fromEntries(wrong.map((key) => [key, texts.number]))
    if (wrong.length > 0) return
    const change = Object.fromEntries(numbers.filter(([key, value]) => value !== rule[key]))
    save.mutate({ scope: rule.scope, isEnabled: isEnabled.value, ...change })
  }
  const sent = save.error instanceof Problem ? save.error.fields : []
  const field = (key: (typeof FIGURES)[number], label: string, hint?: string) => (
    <TextField
      label={label}
      hint={hint}
      value={figures.value[key] ?? ''}
      problem={problems.value[key] ?? sent.find(({ pointer }) => pointer === `/${key}`)?.message}
      onInput={(value) => (figures.value = { ...figures.value, [key]: value })}
      more={{ inputMode: 'decimal' }}
    />
  )
  return (
    <Dialog
      title={rule.name}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{frameTexts.value.cancel}</Button>
          <Button tone="primary" isBusy={save.isPending} onClick={submit}>
            {frameTexts.value.save}
          </Button>
        </>
      }
    >
      <CheckField label={texts.enabled} isChecked={isEnabled.value} onChange={(value) => (isEnabled.value = value)} />
      {rule.kind !== 'jobFailed' && (
        <div class="form-grid">
          {field('threshold', texts.threshold, `${texts.units[rule.kind]} ${texts.thresholdHint}`)}
          {field('clearAt', texts.clearAt, texts.clearAtHint)}
          {field('holdSeconds', texts.hold)}
          {field('clearSeconds', texts.clear)}
        </div>
      )}
    </Dialog>
  )
}
