import { number } from '../../language/format.ts'
import { inBoth } from '../../language/language.ts'

/** The same word in both languages. */
const jobs = (count: number) => `${number(count)} ${count === 1 ? 'job' : 'jobs'}`

/** What is said about doing something to many jobs. */
export const bulkTexts = inBoth({
  'pt-BR': {
    bar: 'Ações em lote',
    selectShown: 'Selecionar todos os jobs mostrados',
    select: 'Selecionar',
    selectOne: (name: string) => `Selecionar ${name}`,
    selected: (count: number) => `${jobs(count)} ${count === 1 ? 'selecionado' : 'selecionados'}`,
    allSelected: 'Todos os que correspondem à busca',
    selectAll: 'Selecionar todos os que correspondem',
    clear: 'Desfazer a seleção',
    titles: {
      execute: 'Executar em lote',
      pause: 'Pausar em lote',
      resume: 'Retomar em lote',
      delete: 'Deletar em lote',
    },
    forecast: (applicable: number, matched: number) =>
      applicable === matched
        ? `A ação vale para ${jobs(matched)}.`
        : `A ação vale para ${number(applicable)} de ${jobs(matched)}; o status dos outros não a permite.`,
    none: 'O status de nenhum dos jobs permite esta ação.',
    sample: 'Entre eles:',
    reason: 'Motivo',
    reasonHint: 'Fica na auditoria e ao lado do status.',
    deleteWarning: 'Os jobs não disparam mais e saem da lista; o histórico fica. Não pode ser desfeito.',
    typeCount: (count: number) => `Digite ${count} para confirmar`,
    wrongCount: (count: number) => `O número não confere: são ${count}`,
    confirm: (name: string, count: number) => `${name}: ${jobs(count)}`,
    progress: (seen: number, total: number) => `${number(seen)} de ${number(total)}`,
    stop: 'Parar',
    stopping: 'Parando…',
    done: (done: number, failed: number) =>
      `${jobs(done)} com sucesso${failed === 0 ? '.' : `, ${jobs(failed)} com falha.`}`,
    stopped: (seen: number, total: number) => `Interrompido depois de ${number(seen)} de ${number(total)}.`,
    failures: 'Falhas',
    job: 'Job',
    why: 'Motivo da falha',
  },
  en: {
    bar: 'Bulk actions',
    selectShown: 'Select all jobs that are shown',
    select: 'Select',
    selectOne: (name: string) => `Select ${name}`,
    selected: (count: number) => `${jobs(count)} selected`,
    allSelected: 'All that match the search',
    selectAll: 'Select all that match',
    clear: 'Clear the selection',
    titles: {
      execute: 'Run in bulk',
      pause: 'Pause in bulk',
      resume: 'Resume in bulk',
      delete: 'Delete in bulk',
    },
    forecast: (applicable: number, matched: number) =>
      applicable === matched
        ? `This applies to ${jobs(matched)}.`
        : `This applies to ${number(applicable)} of ${jobs(matched)}; the status of the others does not allow it.`,
    none: 'None of the jobs has a status that allows this.',
    sample: 'Among them:',
    reason: 'Reason',
    reasonHint: 'Kept in the audit log and shown beside the status.',
    deleteWarning: 'The jobs fire no more and leave the list; their history stays. This cannot be undone.',
    typeCount: (count: number) => `Type ${count} to confirm`,
    wrongCount: (count: number) => `That is not the number: there are ${count}`,
    confirm: (name: string, count: number) => `${name}: ${jobs(count)}`,
    progress: (seen: number, total: number) => `${number(seen)} of ${number(total)}`,
    stop: 'Stop',
    stopping: 'Stopping…',
    done: (done: number, failed: number) => `${jobs(done)} done${failed === 0 ? '.' : `, ${jobs(failed)} failed.`}`,
    stopped: (seen: number, total: number) => `Stopped after ${number(seen)} of ${number(total)}.`,
    failures: 'Failures',
    job: 'Job',
    why: 'Why it failed',
  },
})
