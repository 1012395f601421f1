import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { GROUPS, type Language, pathIn } from './pages.ts'

const DECISIONS = fileURLToPath(new URL('../decisions', import.meta.url))

const WORDS = {
  en: { tutorial: 'Tutorial', howTo: 'How to', reference: 'Reference', explanation: 'Explanation' },
  pt: { tutorial: 'Tutorial', howTo: 'Como fazer', reference: 'Referência', explanation: 'Explicação' },
}

export const english = {
  label: 'English',
  lang: 'en',
  themeConfig: { nav: nav('en'), sidebar: sidebar('en'), outline: { level: [2, 3] as [number, number] } },
}

export const portuguese = {
  label: 'Português',
  lang: 'pt-BR',
  description: 'Agendador de jobs e motor de execução durável para TypeScript sobre PostgreSQL',
  themeConfig: {
    nav: nav('pt'),
    sidebar: sidebar('pt'),
    outline: { level: [2, 3] as [number, number], label: 'Nesta página' },
    docFooter: { prev: 'Anterior', next: 'Próxima' },
    darkModeSwitchLabel: 'Aparência',
    lightModeSwitchTitle: 'Mudar para o tema claro',
    darkModeSwitchTitle: 'Mudar para o tema escuro',
    sidebarMenuLabel: 'Menu',
    returnToTopLabel: 'Voltar ao início',
    langMenuLabel: 'Mudar de idioma',
    skipToContentLabel: 'Ir para o conteúdo',
    notFound: {
      title: 'PÁGINA NÃO ENCONTRADA',
      quote: 'Não há página neste endereço.',
      linkLabel: 'ir para o início',
      linkText: 'Ir para o início',
    },
  },
  search: {
    button: { buttonText: 'Pesquisar', buttonAriaLabel: 'Pesquisar' },
    modal: {
      displayDetails: 'Mostrar a lista detalhada',
      resetButtonTitle: 'Limpar a pesquisa',
      backButtonTitle: 'Fechar a pesquisa',
      noResultsText: 'Nada encontrado para',
      footer: {
        selectText: 'abrir',
        selectKeyAriaLabel: 'enter',
        navigateText: 'navegar',
        navigateUpKeyAriaLabel: 'seta para cima',
        navigateDownKeyAriaLabel: 'seta para baixo',
        closeText: 'fechar',
        closeKeyAriaLabel: 'escape',
      },
    },
  },
}

function nav(language: Language) {
  const start = language === 'en' ? '/' : '/pt/'
  const words = WORDS[language]
  return [
    { text: words.tutorial, link: `${start}tutorial/first-job`, activeMatch: '/tutorial/' },
    { text: words.howTo, link: `${start}how-to/jobs`, activeMatch: '/how-to/' },
    { text: words.reference, link: `${start}reference/api`, activeMatch: '/reference/' },
    { text: words.explanation, link: `${start}explanation/how-it-works`, activeMatch: '/explanation/' },
  ]
}

function sidebar(language: Language) {
  const groups = GROUPS.map((group) => ({
    text: group[language],
    collapsed: group.isEnglishOnly === true,
    items: group.pages.map((page) => ({ text: page[language], link: `/${pathIn(language, group, page.path)}` })),
  }))
  return [
    ...groups,
    { text: language === 'en' ? 'Decisions' : 'Decisões (em inglês)', collapsed: true, items: decisions() },
  ]
}

/** The pages of decisions, by their own titles. */
function decisions() {
  return readdirSync(DECISIONS)
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => {
      const [, title = name] = /^# (.+)$/m.exec(readFileSync(`${DECISIONS}/${name}`, 'utf8')) ?? []
      return { text: title.replaceAll('`', ''), link: `/decisions/${name.replace(/\.md$/, '')}` }
    })
}
