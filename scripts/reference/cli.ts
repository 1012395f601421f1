import type { Command } from 'commander'
import { EXIT_CODES } from '../../src/cli/errors.ts'
import { createProgram } from '../../src/cli/program.ts'
import type { Terminal } from '../../src/cli/terminal.ts'
import { code, joined, type Language, prose, table, type Words } from './markdown.ts'

const WORDS = {
  exits: { en: 'Exit codes', pt: 'Códigos de saída' },
  exitHeader: { en: ['code', 'meaning'], pt: ['código', 'significado'] },
  argumentHeader: { en: ['argument', ''], pt: ['argumento', ''] },
  optionHeader: { en: ['option', '', 'default'], pt: ['opção', '', 'padrão'] },
}

const EXITS: Readonly<Record<keyof typeof EXIT_CODES, Words>> = {
  done: { en: 'done', pt: 'feito' },
  failed: {
    en: 'what was asked for did not come about: a run that failed, a chain that is broken, a check that found something',
    pt: 'o que foi pedido não aconteceu: uma execução que falhou, uma cadeia rompida, uma verificação que encontrou algo',
  },
  notUnderstood: { en: 'a wrong option or an invalid value', pt: 'uma opção errada ou um valor inválido' },
  unreachable: {
    en: 'neither the service nor the database answers',
    pt: 'nem o serviço nem o banco de dados responde',
  },
  notAllowed: { en: 'nobody is known, or he may not do that', pt: 'ninguém é conhecido, ou não pode fazer isso' },
  notFound: { en: 'there is no such thing', pt: 'isso não existe' },
  conflict: {
    en: 'it stands another way: changed meanwhile, ended already',
    pt: 'está de outra forma: alterado no meio-tempo, já terminado',
  },
  stillRunning: {
    en: 'the service has stopped, but handlers still ran when its grace was over: other nodes run their executions again, and the attempt does not count',
    pt: 'o serviço parou, mas ainda havia handlers rodando ao fim da tolerância: outros nós executam de novo as execuções deles, e a tentativa não conta',
  },
  interrupted: { en: 'ended by Ctrl+C', pt: 'encerrado por Ctrl+C' },
}

/** Nobody looks. */
const TERMINAL: Terminal = {
  now: 0,
  write: () => {},
  note: () => {},
  isInteractive: false,
  isFollowed: false,
  tone: (text) => text,
  columns: 100,
}

export function cliPage(language: Language): string {
  const exits = Object.entries(EXIT_CODES).map(([name, value]) => [
    String(value),
    EXITS[name as keyof typeof EXIT_CODES][language],
  ])
  return joined([
    `## ${WORDS.exits[language]}`,
    table(WORDS.exitHeader[language], exits),
    ...commandsOf(createProgram(TERMINAL), '').flatMap(([name, command]) => section(name, command, language)),
  ])
}

/** Every command that does something, by its whole name. */
function commandsOf(command: Command, prefix: string): [string, Command][] {
  return command.commands.flatMap((each): [string, Command][] => {
    const name = `${prefix}${each.name()}`
    const inner = commandsOf(each, `${name} `)
    const isGroup = inner.length > 0 && each.registeredArguments.length === 0 && each.options.length === 0
    return isGroup ? inner : [[name, each], ...inner]
  })
}

function section(name: string, command: Command, language: Language): string[] {
  const usage = command.registeredArguments.map((each) => {
    const inside = `${each.name()}${each.variadic ? '...' : ''}`
    return each.required ? ` <${inside}>` : ` [${inside}]`
  })
  const named = command.registeredArguments.filter(({ description }) => description !== '')
  const options = command.options.filter(({ hidden }) => !hidden)
  return [
    `## ${name}`,
    code(`pontual ${name}${usage.join('')}`),
    prose(command.description()),
    ...(named.length === 0
      ? []
      : [
          table(
            WORDS.argumentHeader[language],
            named.map((each) => [code(each.name()), prose(each.description)]),
          ),
        ]),
    ...(options.length === 0
      ? []
      : [
          table(
            WORDS.optionHeader[language],
            options.map(({ flags, description, defaultValue }) => [
              code(flags),
              prose(description),
              defaultValue === undefined || defaultValue === false ? '' : code(String(defaultValue)),
            ]),
          ),
        ]),
  ]
}
