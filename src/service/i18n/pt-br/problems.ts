/** What the status of a problem means, in two words. */
export const problems = {
  titles: {
    400: 'Dados inválidos',
    401: 'Autenticação necessária',
    403: 'Acesso negado',
    404: 'Não encontrado',
    405: 'Método não permitido',
    406: 'Formato não aceitável',
    408: 'Tempo de envio esgotado',
    409: 'Conflito',
    410: 'Não existe mais',
    412: 'Versão desatualizada',
    413: 'Conteúdo grande demais',
    414: 'URL longa demais',
    415: 'Tipo de conteúdo não aceito',
    417: 'Expectativa não atendida',
    422: 'Chave de idempotência reutilizada',
    429: 'Requisições demais',
    431: 'Cabeçalhos grandes demais',
    500: 'Erro interno',
    503: 'Temporariamente indisponível',
  },
}
