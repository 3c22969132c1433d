/** Unwanted mail in Portuguese, of Brazil and of Portugal. */
import type { Template } from '../template.js'
import { templatesIn } from './draft.js'

const { phishing, scam, spam } = templatesIn('pt')

export const portuguese: Template[] = [
  phishing('banco-pontos', {
    from: 'brand {<brand>|<brand> {Segurança|Fidelidade|Informa}}',
    brands: ['Banco do Brasil', 'Itaú', 'Bradesco', 'Caixa', 'Nubank', 'Livelo', 'Caixa Montal', 'Millennium bcp'],
    subject:
      '{{Seus|Você tem} <n 10000-99999> pontos {expiram hoje|vencem em <soon>}|{Sua|A sua} conta {foi|será} {bloqueada|suspensa}|{Comunicado|Aviso} {importante|de segurança}: <brand>|{Atualize|Regularize} {seu cadastro|seu token|o módulo de segurança}|Compra {aprovada|suspeita} de <amount>}',
    body: `
      {Prezado{(a)|} cliente|Olá{, <to>|}|Caro cliente},
      {{{seus|Seus} pontos {Livelo|Esfera|do programa} {expiram|vencem} {hoje|em <soon>}: {troque|resgate} agora <n 10000-99999> pontos por {descontos na fatura|<amount> na conta}.|{identificamos|detectamos} {um acesso suspeito|uma tentativa de acesso} {em|à} sua conta{ em <date>|}, {e o acesso foi {bloqueado|suspenso}|por isso a limitámos}.|seu {iToken|módulo de segurança|cadastro} {está desatualizado|expirou}. {Para evitar o bloqueio, faça a atualização {até <soon>|hoje}.|}|{compra aprovada|foi realizada uma compra} de <amount> em <client>. {Não reconhece? {Cancele|Conteste} imediatamente.|}}}
      ? {Caso não {atualize|regularize}, {sua conta será {bloqueada|cancelada}|será cobrada uma taxa de <price>}.|O procedimento é {simples|rápido} e {seguro|obrigatório}.}
      @ {{Resgatar|Trocar} {agora|pontos}|{Atualizar|Regularizar} {agora|cadastro|conta}|Acessar minha conta|Cancelar compra|Desbloquear}
      {Atenciosamente|Com os melhores cumprimentos|Obrigado},<br>{<brand>|Central de {atendimento|segurança}}
      ? % {E-mail automático, favor não responder.|Ouvidoria 0800 555 01<n 10-99>}
    `,
  }),
  phishing('encomenda', {
    from: 'brand {<brand>|<brand> {Entregas|Rastreamento}}',
    brands: ['Correios', 'CTT', 'DHL', 'DPD', 'Loggi', 'Encomio'],
    subject:
      '{{Sua|A sua} encomenda {está {retida|a aguardar}|foi taxada}|{Objeto|Encomenda} <code>: {taxa|pagamento} pendente|Tentativa de entrega {não realizada|falhada}|{Pague|Regularize} <fee>{ para receber|}}',
    body: `
      {Olá|Prezado cliente|Caro(a) cliente},
      {{sua encomenda|seu objeto|a sua encomenda} {<code> |}{foi {taxada|retida} {pela alfândega|na fiscalização aduaneira}|não {foi|pôde ser} entregue {porque {o endereço está incompleto|não havia ninguém}|em <date>}|está {parada|retida} {em nosso centro de distribuição|no nosso armazém}}.|existe um pagamento de <fee> {pendente|em falta} para a {liberação|entrega} {do objeto|da encomenda} <code>.}
      * {Código de rastreio|Rastreamento}: <code>
      ? * Valor: <fee>
      {{Efetue o pagamento|Pague a taxa de <fee>|Confirme {seu endereço|a morada}} {em até|no prazo de} <n 24-72> {horas|h}{, {ou|caso contrário} {será devolvid{a|o}|a encomenda volta} ao remetente|}.|Para {receber|liberar}, {confirme os dados e pague a taxa|acesse o link}.}
      @ {{Pagar|Regularizar} {taxa|agora}|{Liberar|Rastrear|Receber} {minha |}encomenda|Reagendar entrega|Atualizar {morada|endereço}}
    `,
  }),
  phishing('governo', {
    from: 'odd {<brand>|<brand> {Notificação|Informa}}',
    brands: ['Receita Federal', 'Gov.br', 'Detran', 'Autoridade Tributária', 'Serasa', 'Segurança Social', 'INSS'],
    subject:
      '{{Restituição|Reembolso} {disponível|de <amount>}|{Seu|O seu} CPF {será suspenso|está irregular}|{Multa|CNH} {suspensa|em aberto}{ <ref>|}|{Notificação|Intimação} {<ref>|extrajudicial}|{Valores|Dinheiro} a receber: <amount>|Dívida {fiscal |}{em execução|pendente}}',
    body: `
      {Prezado{(a)|} {contribuinte|cidadão|<toname>}|Exmo(a). Senhor(a)},
      {{consta|constatamos|verificámos} {em seu CPF|em seu nome|} {uma pendência|uma dívida|irregularidades} {de <amount>|na declaração do imposto de renda}. {O não pagamento {até <soon> |}{causará|leva à} {a suspensão do CPF|penhora|multa}.|}|{após a {última |}análise|a sua declaração foi processada:} {você tem|tem} direito a {uma restituição|um reembolso} de <amount>.|{você tem|existem} valores {esquecidos |}a receber: <amount>. {Consulte|Saque} {hoje|até <soon>}.|foi {registada|aplicada} uma {multa|coima} de <price>{ ao seu veículo|}{, {desconto de 40 % até <soon>|pague para evitar a apreensão}|}.}
      {Acesse|Aceda ao|Clique no} {portal|link} {abaixo |}e {informe|confirme} {seus dados|os seus dados} {bancários|e chave Pix|}{.|, até <soon>.}
      @ {{Consultar|Regularizar} {agora|situação|CPF}|{Receber|Solicitar} {valores|restituição|reembolso}|{Emitir|Pagar} {guia|DARF|coima}|Visualizar notificação}
      {Atenciosamente|Com os melhores cumprimentos},<br><brand>
    `,
  }),
  phishing('webmail-nota', {
    from: 'own {Suporte {técnico|de TI|Webmail}|Administrador|Financeiro|<name>}',
    attach: '{NF-e_<n 1000-9999>.zip|Boleto_<n 100-999>.html|Nota_Fiscal.pdf.html|Comprovante.htm}',
    subject:
      '{{Sua caixa|A caixa de correio} {está cheia|atingiu o limite}|Senha {expira hoje|de <user> expirada}|{Nota fiscal|Boleto|NF-e} <ref>{ em anexo| vencido|}|{Segue|Comprovante de} {comprovante|pagamento|orçamento}|<n 2-9> mensagens {retidas|pendentes}}',
    body: `
      {Prezados|Bom dia|Caro utilizador|Olá {<local>|<user>}},
      {{segue|segue em anexo} {a nota fiscal|o boleto|o comprovante} {<ref>|referente ao pedido <ref>}{ no valor de <amount>|}. {Favor {confirmar|efetuar o pagamento até <soon>}.|Senha do arquivo: <code>.}|{sua|a sua} caixa de {e-mail|correio} {atingiu|excedeu} {o limite|<n 95-99> % da capacidade} {e não {receberá|poderá receber} novas mensagens|}.|a {senha|palavra-passe} de <user> expira {hoje|em <soon>}.|<n 2-9> mensagens {ficaram retidas|não foram entregues}{ devido a um erro no servidor|}.}
      {Clique {abaixo|aqui}|Faça login|Valide sua conta} {para {aumentar o espaço|manter a senha|visualizar {o documento|a nota}|liberar as mensagens}|e evite o bloqueio}.
      @ {{Visualizar|Baixar} {nota|boleto|documento|PDF}|Manter {senha|palavra-passe}|Aumentar {espaço|quota}|Liberar mensagens|Validar conta}
      {Att.|Atenciosamente|Cumprimentos},<br>{<name>|Suporte {técnico|TI}|Setor financeiro}
    `,
  }),
  phishing('assinatura', {
    from: 'brand {<brand>|<brand> Pagamentos}',
    brands: ['Netflix', 'Amazon', 'Spotify', 'Mercado Livre', 'MB WAY', 'Vivo', 'Streamora'],
    looks: ['plain', 'letter', 'card'],
    subject:
      '{{Sua|A sua} {assinatura|conta} {foi {suspensa|cancelada}|expira hoje}|{Problema|Falha} {com|no} {seu |}pagamento|{Atualize|Confirme} {seus dados|o cartão}|{Fatura|Conta} {em atraso|vencida}: <price>}',
    body: `
      {Olá{, <to>|}|Caro cliente|Oi{, <to>|}},
      {não {conseguimos|foi possível} {processar|cobrar} {seu último pagamento|a mensalidade de <price>}. {Atualize {seus dados|o cartão} {para continuar {assistindo|a usar}|em 48 horas}.|}|{sua|a sua} {conta|assinatura} <brand> {foi suspensa|será encerrada} {por falta de pagamento|por atividade suspeita}{: {reative|confirme os dados} agora|}.|{consta|há} uma fatura {em aberto|vencida} de <price>. {Pague com <n 20-50> % de desconto {via Pix|até <soon>} e evite o {corte|bloqueio}.|}}
      @ {Atualizar {pagamento|cartão}|{Reativar|Confirmar} {conta|assinatura|agora}|Pagar {fatura|com desconto}}
      {Equipe <brand>|A equipa <brand>|Obrigado, <brand>}
    `,
  }),
  scam('heranca', {
    from: 'free {{Sra.|Sr.|Adv.} <name>|<name>}',
    replyTo: 'free',
    many: true,
    looks: ['plain'],
    subject:
      '{{Doação|Herança}{ de <million>|}|{Caro|Querido} {amigo|beneficiário}|{Proposta|Assunto} {confidencial|de negócios|urgente}|{Empréstimo|Oferta de empréstimo}{ rápido| a 3 %|}|Parabéns: <million>}',
    body: `
      {Olá|Caro amigo|Saudações|Querido(a) em Cristo},
      {{sou|meu nome é|o meu nome é} {a Sra. |o advogado |}<name>, {{viúva|sofro de cancro|estou com câncer} {e tenho poucos meses de vida|em fase terminal}. {Quero|Decidi} doar <million> {a você|para ajudar os necessitados, por seu intermédio}|{representante|advogado} de um cliente falecido {com o seu sobrenome|num acidente} que deixou <million> {sem herdeiros|num banco}|{gerente|auditor} de {um banco|<bank>} e descobri uma conta {abandonada|inativa} com <million>}.|{oferecemos|concedo} empréstimos de 5.000 a <million> {a|com juros de} {2|3} %{ ao ano|}, {sem consulta|entre particulares|em 48 horas}.|seu e-mail {ganhou|foi sorteado com} <million> na {loteria|promoção} internacional.}
      ? {{Você|O senhor} {ficará|fica} com {30|40} %.|É {100 % |}{legal|seguro} e {sem risco|confidencial}.|Deus te abençoe.}
      {Responda|Contacte-me|Escreva} {para|pelo e-mail}{:|} <mail>{ com nome, {endereço|país} e telefone|}.
      {Atenciosamente|Cumprimentos|Fique com Deus},<br><name>
    `,
  }),
  scam('chefe-extorsao', {
    from: 'free {<toname>|<name>|Diretor <last>}',
    replyTo: 'free',
    looks: ['plain'],
    subject:
      '{{Urgente|Solicitação|Importante}|{Olá|Bom dia}{ <to>|}|{Pagamento|Transferência|Pix} {urgente|de hoje}|{Alteração|Novos} dados bancários|{Seu dispositivo|Sua conta} foi {hackead{o|a}|invadid{o|a}}|{Está|Você está} {disponível|aí}?|Vaga: <round> {por semana|em casa}}',
    body: `
      {Olá|Bom dia|Oi}{ <to>|},
      {{está|você está} {disponível|no escritório}? {Preciso {de um favor|que faça {um Pix|uma transferência} de <sum>}{ hoje|}. {Estou em reunião, {responda|só} por e-mail.|}|}|{compre|preciso de} <n 3-9> {cartões|vales} presente {Apple|Google Play|Steam} de {100|200} {para {clientes|a equipe}|} e me {envie|mande} {as fotos dos|os} códigos.|informamos que {mudámos de banco|nossos dados bancários mudaram}. {Favor|Agradecemos que} {pagar|efetue} {a fatura <ref>|os próximos pagamentos} {na|para a} nova conta.|{invadi|tenho acesso a} {seu celular|seus dispositivos} e {gravei|tenho} um vídeo seu {vendo|em} sites adultos. {Envie|Pague} <round> em bitcoin para <wallet> em 48 horas ou {mando|envio} para {todos os seus contatos|sua família}.|{ganhe|você pode ganhar} <round> {por semana|por dia} {curtindo vídeos|avaliando hotéis|com Pix} {em casa|pelo celular}. {Chame no WhatsApp|Fale conosco}: <chat>.}
      ? {É {confidencial|sigiloso}.|Aguardo {retorno|resposta}.|Não chame a polícia.}
      ? {Obrigado|Abraço|Att.}<br><first>
    `,
  }),
  spam('premio-emagrecer', {
    from: 'odd {<brand>|{Ofertas|Prêmios} {do Dia|Online}|<name>}',
    brands: ['Magalu', 'Lidl', 'Continente', 'Havan', 'Worten', 'Cassino Ouro'],
    looks: ['plain', 'letter', 'card', 'image'],
    subject:
      '{{Parabéns|Você ganhou}{, <local>|}!|{Você foi|Foi} selecionado|{Seu|O seu} {prêmio|vale de <round>} {te espera|está à espera}|<n 50-200> rodadas grátis|{Perca|Elimine} <n 5-20> kg|{^Viagra^|Azulzinho} sem receita|{Cartão|Crédito} {aprovado|sem consulta}}',
    body: `
      # {Parabéns!|Oferta {exclusiva|relâmpago}|Você foi {sorteado|escolhido}}
      {{Responda|Participe} {a uma pesquisa rápida|<n 3-9> perguntas} e {ganhe|receba} {um iPhone|uma air fryer|um vale {<brand> |}de <round>}.|{Cadastre-se|Registe-se} {hoje|agora} e {ganhe|receba} {até <round>|<n 100-300> % de bônus} {+ <n 20-200> rodadas grátis|sem depósito}.|{Perca|Elimine} {<n 5-20> kg|a barriga} {em <n 2-6> semanas|sem dieta} com {esse truque|este chá}.|^Viagra^ e ^Cialis^ a partir de <n 1-9> {reais|€}, {entrega discreta|sem receita}.|{Crédito|Cartão} {aprovado na hora|para negativados}: até <round>, sem consulta {ao SPC|}.}
      ? {Só {hoje|restam <n 2-19>}!|Válido até <soon>.}
      @ {{Participar|Jogar|Quero|Comprar} {agora|já}|Resgatar {prêmio|vale}|Aproveitar}
      % <a Cancelar inscrição>
    `,
  }),
  spam('lista-site', {
    from: 'free {<name>|<name> - Vendas}',
    looks: ['plain'],
    many: true,
    subject:
      '{{Primeira página|Seu site} {do|no} Google|Lista de e-mails <year>|{Criação|Criamos} {de |seu }site{s|} {por|a partir de} <price>|{Planos de saúde|Energia solar|Seguro}: {cotação|economize <n 20-60> %}|{Diploma|Curso} {reconhecido|em 30 dias}}',
    body: `
      {Olá|Bom dia|Prezado {empresário|responsável}},
      {{visitei|analisei} {seu site|<domain>} e {posso|podemos} {colocá-lo|deixá-lo} na primeira página do Google{ em <n 30-90> dias|}.|{vendemos|temos} listas com <n 1-9> milhões de e-mails {de empresas|segmentados}{ {por estado|por ramo}|} por {apenas |}<price>.|{criamos|desenvolvemos} {sites|lojas virtuais|aplicativos} {a partir de|por} <price>{, {com hospedagem|em 7 dias}|}.|{economize|poupe} até <n 20-60> % {na conta de luz com energia solar|no plano de saúde{ empresarial|}}: {cotação|simulação} grátis.|{diploma|certificado} de {ensino médio|graduação} em {30|15} dias, {reconhecido pelo MEC|sem aulas}.}
      ? {Posso {enviar|mandar} {uma proposta|os valores}?|Promoção {só esta semana|até <soon>}.}
      {Responda {SIM|este e-mail}|WhatsApp: <chat>|Saiba mais: <link>}
      {Atenciosamente|Abraço},<br><name>
      ? % Para sair da lista, responda {REMOVER|SAIR}.
    `,
  }),
]
