import { useUrlState } from '../../frame/url-state.ts'
import { Page } from '../../parts/page.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { isAdmin } from '../../session/session.ts'
import { ApiKeys } from './api-keys.tsx'
import { Flags } from './flags.tsx'
import { General } from './general.tsx'
import { Notifications } from './notifications.tsx'
import './settings.css'
import { settingsTexts } from './texts.ts'

const PARTS = { general: General, flags: Flags, keys: ApiKeys, notifications: Notifications } as const
type Part = keyof typeof PARTS

/** What holds for the whole tenant. */
export function Settings() {
  const texts = settingsTexts.value
  const [parameters, setParameters] = useUrlState()
  const asked = parameters.get('tab') ?? ''
  const chosen: Part = asked in PARTS ? (asked as Part) : 'general'
  const Shown = PARTS[chosen]
  return (
    <Page title={texts.title} lead={isAdmin() ? undefined : texts.readOnly}>
      <Tabs
        label={texts.title}
        chosen={chosen}
        tabs={(Object.keys(PARTS) as Part[]).map((key) => ({ key, name: texts.tabs[key] }))}
        onChoose={(tab) => setParameters({ tab }, { isStep: true })}
      />
      <Shown />
    </Page>
  )
}
