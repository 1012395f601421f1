import { number } from '../language/format.ts'
import { inBoth } from '../language/language.ts'

export const logTexts = inBoth({
  'pt-BR': {
    label: 'Linhas do log',
    level: 'Nível',
    anyLevel: 'Todos',
    levels: { debug: 'Debug', info: 'Info', warn: 'Aviso', error: 'Erro' },
    attempt: 'Tentativa',
    anyAttempt: 'Todas',
    attemptShort: (attempt: number) => `t${attempt}`,
    find: 'Buscar no log',
    download: 'Baixar',
    follow: 'Acompanhar',
    counted: (shown: number, all: number) =>
      `${shown === all ? '' : `${number(shown)} de `}${number(all)} ${all === 1 ? 'linha' : 'linhas'}`,
    forgotten: (count: string) => `(as ${count} primeiras só no arquivo baixado)`,
    states: {
      connecting: 'Conectando…',
      live: 'Ao vivo',
      reconnecting: 'Reconectando…',
      ended: 'Completo',
      failed: 'Não foi possível ler o log',
    },
    zone: (zone: string) => `horários em ${zone}`,
    nothing: 'Nenhuma linha até agora.',
    nothingFound: 'Nenhuma linha corresponde ao filtro.',
  },
  en: {
    label: 'Lines of the log',
    level: 'Level',
    anyLevel: 'All',
    levels: { debug: 'Debug', info: 'Info', warn: 'Warning', error: 'Error' },
    attempt: 'Attempt',
    anyAttempt: 'All',
    attemptShort: (attempt: number) => `a${attempt}`,
    find: 'Search the log',
    download: 'Download',
    follow: 'Follow',
    counted: (shown: number, all: number) =>
      `${shown === all ? '' : `${number(shown)} of `}${number(all)} ${all === 1 ? 'line' : 'lines'}`,
    forgotten: (count: string) => `(the first ${count} only in the download)`,
    states: {
      connecting: 'Connecting…',
      live: 'Live',
      reconnecting: 'Reconnecting…',
      ended: 'Complete',
      failed: 'The log could not be read',
    },
    zone: (zone: string) => `times in ${zone}`,
    nothing: 'No lines so far.',
    nothingFound: 'No line fits the filter.',
  },
})
